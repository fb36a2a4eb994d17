import { getEventListeners } from 'node:events'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { Batcher, type BatchResult } from './batcher.ts'

const never = new AbortController().signal

const harness = (send?: (inputs: readonly string[]) => readonly BatchResult<string>[]) => {
  const clock = new VirtualClock()
  const metrics = new PrometheusMetrics()
  const calls: { readonly at: number; readonly inputs: readonly string[] }[] = []
  const batcher = new Batcher<string, string>({
    name: 'words',
    clock,
    metrics,
    idle: 35,
    max: 1_000,
    items: 5,
    bucketOf: (input) => input[0] ?? '',
    send: async (inputs) => {
      calls.push({ at: clock.monotonic(), inputs })
      return send?.(inputs) ?? inputs.map((value) => ({ ok: true, value: value.toUpperCase() }))
    },
  })
  return { clock, metrics, calls, batcher }
}

test('requests that arrive close together share a call; each bucket has its own calls', async () => {
  const { clock, calls, batcher } = harness()
  const answers = Promise.all(['a1', 'b1', 'a2'].map((word) => batcher.add(word, never)))
  await clock.advance(35)
  expect(await answers).toEqual(['A1', 'B1', 'A2'])
  expect(calls.map(({ inputs }) => inputs)).toEqual([['b1'], ['a1', 'a2']])
})

test('each arrival restarts the idle timeout, up to the maximum wait', async () => {
  const { clock, calls, batcher } = harness()
  const answers: Promise<string>[] = []
  for (let index = 0; index < 4; index++) {
    answers.push(batcher.add(`a${index}`, never))
    await clock.advance(30)
  }
  await clock.advance(5)
  await Promise.all(answers)
  expect(calls).toEqual([{ at: 125, inputs: ['a0', 'a1', 'a2', 'a3'] }])
})

test('a batch that keeps receiving requests is sent after the maximum wait', async () => {
  const clock = new VirtualClock()
  const sizes: number[] = []
  const batcher = new Batcher<number, number>({
    name: 'n',
    clock,
    metrics: new PrometheusMetrics(),
    idle: 100,
    max: 1_000,
    items: 500,
    bucketOf: () => '',
    send: async (inputs) => {
      sizes.push(inputs.length)
      return inputs.map((value) => ({ ok: true, value }))
    },
  })
  const answers: Promise<number>[] = []
  for (let index = 0; index < 30; index++) {
    answers.push(batcher.add(index, never))
    await clock.advance(50)
  }
  await clock.advance(100)
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 30 }, (_, index) => index))
  expect(sizes).toEqual([20, 10])
})

test('a full batch is sent immediately', async () => {
  const { calls, batcher } = harness()
  expect(await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5'].map((word) => batcher.add(word, never)))).toHaveLength(5)
  expect(calls).toHaveLength(1)
})

test('each request gets its own result; a failed call fails all its requests', async () => {
  const { clock, batcher } = harness((inputs) =>
    inputs.map((value) => (value === 'a2' ? { ok: false, error: new Error('no a2') } : { ok: true, value })),
  )
  const settled = Promise.allSettled(['a1', 'a2'].map((word) => batcher.add(word, never)))
  await clock.advance(35)
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])

  const failing = harness(() => {
    throw new Error('down')
  })
  const all = Promise.allSettled(['a1', 'a2'].map((word) => failing.batcher.add(word, never)))
  await failing.clock.advance(35)
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a request that is aborted while it waits is not sent', async () => {
  const { clock, calls, batcher } = harness()
  const stop = new AbortController()
  const given = batcher.add('a1', stop.signal)
  const other = batcher.add('a2', never)
  stop.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  await clock.advance(35)
  expect(await other).toBe('A2')
  expect(calls.map(({ inputs }) => inputs)).toEqual([['a2']])
})

test('300 requests get their results, and both metrics exist', async () => {
  const { clock, metrics, batcher } = harness()
  const answers = Promise.all(Array.from({ length: 300 }, (_, index) => batcher.add(`a${index}`, never)))
  await clock.advance(1_000)
  expect(new Set(await answers).size).toBe(300)
  const text = await metrics.text()
  expect(text).toContain('karpenter_cloudprovider_batcher_batch_size_count{batcher="words"} 60')
  expect(text).toContain('karpenter_cloudprovider_batcher_batch_time_seconds_count{batcher="words"} 60')
})

test('a batch whose requests were all aborted is not sent', async () => {
  const { clock, calls, batcher } = harness()
  const stop = new AbortController()
  const given = batcher.add('a1', stop.signal)
  stop.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  await clock.advance(1_000)
  expect(calls).toEqual([])
})

test('a request without a result in the response fails; no abort listener is left after a result', async () => {
  const { clock, batcher } = harness(() => [{ ok: true, value: 'A1' }])
  const { signal } = new AbortController()
  const settled = Promise.allSettled(['a1', 'a2'].map((word) => batcher.add(word, signal)))
  await clock.advance(35)
  const [first, second] = await settled
  expect(first).toEqual({ status: 'fulfilled', value: 'A1' })
  expect(String(second?.status === 'rejected' ? second.reason : '')).toContain('no answer')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('batch sizes use the buckets of Karpenter, and the duration metric counts the collecting time in seconds', async () => {
  const { clock, metrics, batcher } = harness()
  await clock.advance(5_000)
  const given = batcher.add('a1', never)
  await clock.advance(35)
  await given
  const text = await metrics.text()
  expect(text).toContain('karpenter_cloudprovider_batcher_batch_time_seconds_sum{batcher="words"} 0.035')
  const bounds = text.matchAll(/^karpenter_cloudprovider_batcher_batch_size_bucket\{.*le="([^"]+)".*\} /gm)
  // `docs/spec/metrics.md#buckets-and-quantiles`.
  expect([...bounds].map(([, bound]) => bound).join(' ')).toBe(
    '1 2 4 5 10 15 20 25 30 40 50 60 70 80 90 100 125 150 175 200 225 250 275 300 350 400 450 500 550 600 700 800 900 1000 +Inf',
  )
})
