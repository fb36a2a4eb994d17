import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { type BatchAnswer, Batcher } from './batcher.ts'

const never = new AbortController().signal

const world = (send?: (inputs: readonly string[]) => readonly BatchAnswer<string>[]) => {
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

test('requests that come close together share a call; other buckets have their own', async () => {
  const { clock, calls, batcher } = world()
  const answers = Promise.all(['a1', 'b1', 'a2'].map((word) => batcher.add(word, never)))
  await clock.advance(35)
  expect(await answers).toEqual(['A1', 'B1', 'A2'])
  expect(calls.map(({ inputs }) => inputs)).toEqual([['b1'], ['a1', 'a2']])
})

test('each arrival restarts the idle wait, up to the longest one', async () => {
  const { clock, calls, batcher } = world()
  const answers: Promise<string>[] = []
  for (let index = 0; index < 4; index++) {
    answers.push(batcher.add(`a${index}`, never))
    await clock.advance(30)
  }
  await clock.advance(5)
  await Promise.all(answers)
  expect(calls).toEqual([{ at: 125, inputs: ['a0', 'a1', 'a2', 'a3'] }])
})

test('a batch that never rests goes out after the longest wait', async () => {
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

test('a full batch goes out at once', async () => {
  const { calls, batcher } = world()
  expect(await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5'].map((word) => batcher.add(word, never)))).toHaveLength(5)
  expect(calls).toHaveLength(1)
})

test('each request has its own outcome; a failed call is that of all', async () => {
  const { clock, batcher } = world((inputs) =>
    inputs.map((value) => (value === 'a2' ? { ok: false, error: new Error('no a2') } : { ok: true, value })),
  )
  const settled = Promise.allSettled(['a1', 'a2'].map((word) => batcher.add(word, never)))
  await clock.advance(35)
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])

  const failing = world(() => {
    throw new Error('down')
  })
  const all = Promise.allSettled(['a1', 'a2'].map((word) => failing.batcher.add(word, never)))
  await failing.clock.advance(35)
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a request that is aborted while it waits is not sent', async () => {
  const { clock, calls, batcher } = world()
  const stop = new AbortController()
  const given = batcher.add('a1', stop.signal)
  const other = batcher.add('a2', never)
  stop.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  await clock.advance(35)
  expect(await other).toBe('A2')
  expect(calls.map(({ inputs }) => inputs)).toEqual([['a2']])
})

test('300 requests are answered, and both metrics exist', async () => {
  const { clock, metrics, batcher } = world()
  const answers = Promise.all(Array.from({ length: 300 }, (_, index) => batcher.add(`a${index}`, never)))
  await clock.advance(1_000)
  expect(new Set(await answers).size).toBe(300)
  const text = await metrics.text()
  expect(text).toContain('karpenter_cloudprovider_batcher_batch_size_count{batcher="words"} 60')
  expect(text).toContain('karpenter_cloudprovider_batcher_batch_time_seconds_count{batcher="words"} 60')
})
