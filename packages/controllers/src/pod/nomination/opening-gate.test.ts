import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { OpeningGate } from './opening-gate.ts'

/** Creates a gate for the nodes of one plan. `opened` records when each node passed the gate. */
const plan = (...names: readonly string[]) => {
  const clock = new VirtualClock()
  const gate = new OpeningGate(clock)
  const opened: string[] = []
  const stop = new AbortController()
  const come = (name: string): void => {
    void gate
      .pass(name, () => names, stop.signal)
      .then(
        () => opened.push(`${name} ${clock.monotonic()}`),
        () => opened.push(`${name} stopped`),
      )
  }
  return { clock, gate, opened, come, stop }
}

test('nodes that were planned together open at the same moment, when the last of them is ready', async () => {
  const { clock, opened, come } = plan('a', 'b', 'c')
  come('a')
  await clock.advance(700)
  come('b')
  await clock.advance(700)
  expect(opened).toEqual([])
  come('c')
  await clock.advance(1)
  expect(opened.sort()).toEqual(['a 1400', 'b 1400', 'c 1400'])
})

test('a node that was planned alone does not wait', async () => {
  const { clock, opened, come } = plan('a')
  come('a')
  await clock.advance(1)
  expect(opened).toEqual(['a 0'])
})

test('a node waits at most two seconds, and only once', async () => {
  const { clock, opened, come } = plan('a', 'b')
  come('a')
  await clock.advance(2_000)
  expect(opened).toEqual(['a 2000'])
  come('a')
  await clock.advance(1)
  expect(opened).toEqual(['a 2000', 'a 2000'])
  come('b')
  await clock.advance(1)
  expect(opened.at(-1)).toBe('b 2001')
})

test('the wait ends when Kerf stops', async () => {
  const { clock, opened, come, stop } = plan('a', 'b')
  come('a')
  stop.abort()
  await clock.advance(1)
  expect(opened).toEqual(['a stopped'])
})
