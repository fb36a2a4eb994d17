import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { linearConcurrency, rateForConcurrency } from './concurrency.ts'
import { WorkQueue } from './work-queue.ts'

const queueWith = (clock = new VirtualClock(), rate = { qps: 1e9, burst: 1e9 }) => ({
  clock,
  queue: new WorkQueue({ name: 'test', clock, rate }),
})

const drain = (queue: WorkQueue): string[] => {
  const keys: string[] = []
  for (let key = queue.take(); key !== undefined; key = queue.take()) keys.push(key)
  return keys
}

describe('a work queue', () => {
  test('has each key once, and returns keys in the order in which they were added', () => {
    const { queue } = queueWith()
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key)
    expect(queue.depth).toBe(3)
    expect(drain(queue)).toEqual(['a', 'b', 'c'])
  })

  test('keeps a key that is added during its processing until the processing ends, and then returns it once', () => {
    const { queue } = queueWith()
    queue.add('a')
    expect(queue.take()).toBe('a')
    queue.add('a')
    queue.add('a')
    expect(queue.take()).toBeUndefined()
    queue.done('a')
    expect(drain(queue)).toEqual(['a'])
  })

  test('doubles the back-off of a key from 5 ms to a minute, and resets it when the key is forgotten', async () => {
    const { clock, queue } = queueWith()
    const waits: number[] = []
    for (let failure = 0; failure < 20; failure++) {
      const before = clock.monotonic()
      queue.addLimited('a')
      await clock.runUntil(() => queue.depth === 1)
      waits.push(clock.monotonic() - before)
      queue.done(queue.take() ?? '')
    }
    expect(waits.slice(0, 5)).toEqual([5, 10, 20, 40, 80])
    expect(waits.at(-1)).toBe(60_000)
    queue.forget('a')
    queue.addLimited('a')
    await clock.advance(5)
    expect(queue.depth).toBe(1)
  })

  test('limits the retries of all keys together to the common rate', async () => {
    const { clock, queue } = queueWith(new VirtualClock(), { qps: 10, burst: 100 })
    for (let key = 0; key < 200; key++) queue.addLimited(String(key))
    await clock.advance(10)
    expect(queue.depth).toBe(100)
    await clock.advance(990)
    expect(queue.depth).toBe(110)
    await clock.advance(9_000)
    expect(queue.depth).toBe(200)
  })

  test('uses the earliest of several delays, and a delay does not delay an immediate request', async () => {
    const { clock, queue } = queueWith()
    queue.addAfter('a', 1_000)
    queue.addAfter('a', 100)
    queue.addAfter('a', 500)
    queue.addAfter('b', 1_000)
    queue.add('b')
    expect(drain(queue)).toEqual(['b'])
    await clock.advance(100)
    expect(drain(queue)).toEqual(['a'])
    expect(queue.delayed).toBe(1)
  })

  test('accepts no keys and leaves no timer after it is closed', () => {
    const { clock, queue } = queueWith()
    queue.add('a')
    queue.take()
    queue.add('a')
    queue.addAfter('b', 100)
    queue.close()
    queue.add('c')
    queue.done('a')
    expect(queue.take()).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  test('exposes client-go’s series', async () => {
    const clock = new VirtualClock()
    const metrics = new PrometheusMetrics()
    const queue = new WorkQueue({ name: 'node.termination', clock, metrics })
    queue.add('a')
    queue.add('b')
    await clock.advance(2_000)
    queue.take()
    await clock.advance(3_000)
    const text = await metrics.text()
    const labels = '{name="node.termination",controller="node.termination"}'
    expect(text).toContain(`workqueue_depth${labels} 1`)
    expect(text).toContain(`workqueue_adds_total${labels} 2`)
    expect(text).toContain(`workqueue_unfinished_work_seconds${labels} 3`)
    expect(text).toContain(`workqueue_longest_running_processor_seconds${labels} 3`)
    expect(text).toContain(`workqueue_queue_duration_seconds_sum${labels} 2`)
  })

  test('never returns a key to two workers, and never loses an added key', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const steps = fc.array(fc.tuple(fc.constantFrom('add', 'take', 'done'), keys), { maxLength: 300 })
    fc.assert(
      fc.property(steps, (script) => {
        const { queue } = queueWith()
        const working = new Set<string>()
        const owed = new Set<string>()
        const take = (): boolean => {
          const key = queue.take()
          if (key === undefined) return false
          expect(working.has(key)).toBe(false)
          expect(owed.delete(key)).toBe(true)
          working.add(key)
          return true
        }
        for (const [step, key] of script) {
          if (step === 'add') {
            queue.add(key)
            owed.add(key)
          } else if (step === 'take') take()
          else if (working.delete(key)) queue.done(key)
        }
        for (;;) {
          for (const key of working) queue.done(key)
          working.clear()
          if (!take()) break
        }
        expect(owed.size).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  test('stays fast with a hundred thousand keys', () => {
    const { queue } = queueWith()
    for (let key = 0; key < 100_000; key++) queue.add(String(key))
    expect(drain(queue)).toHaveLength(100_000)
  })
})

describe('concurrency', () => {
  test.each([
    [10, 1000, 1_000, 10],
    [10, 1000, 2_000, 26],
    [10, 1000, 1_500, 26],
    [100, 5000, 60_000, 5000],
    [1000, 5000, 120_000, 5000],
    [1000, 5000, 100, 1000],
  ])('from %i to %i at %i millicores is %i', (min, max, millicores, expected) => {
    expect(linearConcurrency(min, max, millicores)).toBe(expected)
  })

  test('the retry rate grows with the concurrency', () => {
    expect(rateForConcurrency(10, 1000, 1000)).toEqual({ qps: 10, burst: 100 })
    expect(rateForConcurrency(10, 1000, 1500)).toEqual({ qps: 15, burst: 150 })
  })
})
