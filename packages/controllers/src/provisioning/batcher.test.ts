import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

const start = (idle: number, max: number, quietSince?: (triggeredAt: number) => number) => {
  const clock = new VirtualClock()
  const batcher = new Batcher(clock, { idle: () => idle, max }, quietSince)
  const closings: number[] = []
  batcher.onRipe(() => closings.push(clock.monotonic()))
  return { clock, batcher, closings }
}

test('one pod closes the window after the idle time', async () => {
  const { clock, batcher, closings } = start(1_000, 10_000)
  batcher.trigger('a')
  await clock.advance(20_000)
  expect(closings).toEqual([1_000])
})

test('a second trigger for the same pod does not extend the window, but a trigger for another pod does', async () => {
  const { clock, batcher, closings } = start(5_000, 10_000)
  batcher.trigger('a')
  await clock.advance(3_000)
  batcher.trigger('a')
  await clock.advance(3_000)
  expect(closings).toEqual([5_000])

  batcher.take()
  batcher.resume('done')
  batcher.trigger('a')
  await clock.advance(3_000)
  batcher.trigger('b')
  await clock.advance(20_000)
  expect(closings).toEqual([5_000, 6_000 + 8_000])
})

test('the window never stays open longer than the maximum', async () => {
  const { clock, batcher, closings } = start(1_000, 10_000)
  for (let pod = 0; pod < 25; pod++) {
    batcher.trigger(`pod-${pod}`)
    await clock.advance(900)
  }
  expect(closings[0]).toBe(10_000)
})

test('a trigger during a pass opens the next window when the pass ends', async () => {
  const { clock, batcher, closings } = start(1_000, 10_000)
  batcher.trigger('a')
  await clock.advance(1_000)
  expect(batcher.isRipe).toBe(true)
  batcher.take()
  batcher.trigger('a')
  await clock.advance(5_000)
  expect(batcher.isRipe).toBe(false)
  batcher.resume('done')
  await clock.advance(5_000)
  expect(closings).toEqual([1_000, 7_000])
})

test('after a failed pass, the next pass may start at once', async () => {
  const { clock, batcher } = start(1_000, 10_000)
  batcher.trigger('a')
  await clock.advance(1_000)
  batcher.take()
  batcher.resume('again')
  expect(batcher.isRipe).toBe(true)
})

test('while more pods enter a long queue of kube-scheduler, the window stays open, up to the maximum', async () => {
  let queuedAt = 0
  const { clock, batcher, closings } = start(1_000, 10_000, (triggeredAt) => Math.max(triggeredAt, queuedAt))
  batcher.trigger('a')
  for (let pod = 0; pod < 4; pod++) {
    await clock.advance(900)
    queuedAt = clock.monotonic()
  }
  expect(closings).toEqual([])
  await clock.advance(5_000)
  expect(closings).toEqual([4_600])

  batcher.take()
  batcher.resume('done')
  await clock.advance(5_000)
  queuedAt = clock.monotonic()
  await clock.advance(5_000)
  expect(closings).toHaveLength(1)
  const opened = clock.monotonic()
  batcher.trigger('b')
  for (let pod = 0; pod < 25; pod++) {
    queuedAt = clock.monotonic()
    await clock.advance(900)
  }
  expect(closings.slice(1)).toEqual([opened + 10_000])
})

test('pods that arrived before the trigger do not keep the window open', async () => {
  const { clock, batcher, closings } = start(1_000, 10_000, () => 500)
  for (let pod = 0; pod < 10; pod++) {
    batcher.trigger(`pod-${pod}`)
    await clock.advance(300)
  }
  expect(closings).toEqual([1_500])
})

test('an idle time that becomes shorter closes the window early', async () => {
  const clock = new VirtualClock()
  let idle = 1_000
  const batcher = new Batcher(clock, { idle: () => idle, max: 10_000, lookEvery: 100 })
  const closings: number[] = []
  batcher.onRipe(() => closings.push(clock.monotonic()))
  batcher.trigger('a')
  await clock.advance(350)
  idle = 100
  await clock.advance(1_000)
  expect(closings).toEqual([400])
})
