import { expect, test } from 'vitest'
import { untilPasses, untilTrue, type Wait, type WaitClock } from './progress.ts'

interface Sleeper {
  readonly due: number
  readonly asked: number
  readonly wake: () => void
}

/** A clock that advances only when code pauses. `lateness` is the factor by which each pause takes longer than requested. */
const clockOf = (lateness = 1): WaitClock & { readonly pauses: number[] } => {
  let time = 0
  const pauses: number[] = []
  const sleepers = new Set<Sleeper>()
  const goOn = (): void => {
    const [first] = [...sleepers].toSorted((a, b) => a.due - b.due)
    if (first === undefined) return
    sleepers.delete(first)
    time = Math.max(time, first.due + first.asked * (lateness - 1))
    pauses.push(first.asked)
    first.wake()
  }
  return {
    pauses,
    now: () => time,
    pause: (asked, signal) =>
      new Promise((wake) => {
        const sleeper = { due: time + asked, asked, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          wake()
        })
        setImmediate(goOn)
      }),
  }
}
const wait: Wait = { what: 'the pod to run', quietSeconds: 10, everyMs: 100, state: () => 'pod a: Pending' }
/** Returns a check that succeeds on the call with this number. */
const afterLooks = (count: number) => {
  let looks = 0
  return (): boolean => {
    looks += 1
    return looks === count
  }
}
const never = new Promise<never>(() => undefined)

test('a wait ends with the first successful check, and a short wait takes no fingerprint', async () => {
  const clock = clockOf()
  const fingerprint = (): never => expect.unreachable()
  await untilTrue(afterLooks(5), { ...wait, fingerprint }, clock)
  expect(clock.now()).toBe(400)
})

test('a wait fails if nothing changes within the limit, and reports what it waited for and the current state', async () => {
  const clock = clockOf()
  await expect(untilTrue(() => false, wait, clock)).rejects.toThrow(
    'nothing changed for 10 s while waiting for: the pod to run\npod a: Pending',
  )
  expect(clock.now()).toBe(10_000)
})

test('a wait continues while something changes, and each change restarts the limit', async () => {
  const clock = clockOf()
  const { state: _, ...told } = wait
  const fingerprint = (): string => `${Math.min(60, Math.floor(clock.now() / 9_000))} pods`
  await expect(untilTrue(() => false, { ...told, fingerprint }, clock)).rejects.toThrow('\n60 pods')
  expect(clock.now()).toBeGreaterThan(60 * 9_000 + 9_000)
  expect(clock.now()).toBeLessThan(60 * 9_000 + 13_000)
})

test('only the requested length of a pause counts, even if the pause ends late', async () => {
  const clock = clockOf(3_600)
  await untilTrue(afterLooks(100), wait, clock)
  await expect(untilTrue(() => false, wait, clock)).rejects.toThrow('nothing changed')
})

test('a longer pause follows a slow check', async () => {
  const clock = clockOf()
  const began: number[] = []
  const look = async (): Promise<boolean> => {
    began.push(clock.now())
    await clock.pause(began.length === 1 ? 60 : 900)
    return began.length === 3
  }
  await untilTrue(look, wait, clock)
  expect(began).toEqual([0, 60 + 240, 300 + 900 + 1_000])
})

test('the limit also applies if a check or the state function hangs', async () => {
  await expect(untilTrue(() => never, wait, clockOf())).rejects.toThrow('pod a: Pending')
  const hanging: Wait = { ...wait, fingerprint: () => never, state: () => never }
  await expect(untilTrue(() => never, hanging, clockOf())).rejects.toThrow('The state cannot be told.')
})

test('a failed fingerprint does not count as a change', async () => {
  const fingerprint = (): never => {
    throw new Error(`${Math.random()}: connection refused`)
  }
  await expect(untilTrue(() => false, { ...wait, fingerprint }, clockOf())).rejects.toThrow('nothing changed for 10 s')
})

test('if untilTrue’s condition throws, the wait ends immediately; with untilPasses, assertions may throw until they pass', async () => {
  const ended = (): never => {
    throw new Error('the process ended')
  }
  await expect(untilTrue(ended, wait, clockOf())).rejects.toThrow('the process ended')

  const clock = clockOf()
  const afterAMinute = (): string => {
    if (clock.now() < 60_000) throw new Error(`${Math.floor(clock.now() / 8_000)} of 7`)
    return 'passed'
  }
  expect(await untilPasses(afterAMinute, wait, clock)).toBe('passed')
  await expect(untilPasses(ended, wait, clockOf())).rejects.toThrow('the process ended\npod a: Pending')
})
