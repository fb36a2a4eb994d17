import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { softHeapLimit } from './soft-heap-limit.ts'

const heapOf = (live: number, garbage: number) => {
  const heap = { live, garbage, collections: 0 }
  const control = {
    used: () => heap.live + heap.garbage,
    collect: () => {
      heap.collections++
      heap.garbage = 0
    },
  }
  return { heap, control }
}

test('collects garbage if the heap exceeds the limit because of garbage, and not before', async () => {
  const clock = new VirtualClock()
  const { heap, control } = heapOf(50, 40)
  const stop = softHeapLimit(clock, 100, control)
  await clock.advance(60_000)
  expect(heap.collections).toBe(0)
  heap.garbage = 60
  await clock.advance(2_000)
  expect(heap).toMatchObject({ collections: 1, garbage: 0 })
  stop()
  expect(clock.pending).toBe(0)
})

test('collects garbage rarely if the live data alone exceeds the limit', async () => {
  const clock = new VirtualClock()
  const { heap, control } = heapOf(150, 0)
  const stop = softHeapLimit(clock, 100, control)
  await clock.advance(3_600_000)
  expect(heap.collections).toBeLessThan(40)
  heap.live = 20
  await clock.advance(120_000)
  heap.garbage = 90
  await clock.advance(2_000)
  expect(heap.garbage).toBe(0)
  stop()
})

/**
 * Returns a weak reference to an unreachable object. The object is created in a task that has ended, because V8 keeps the target of
 * a new WeakRef until the task ends.
 */
const garbage = async (): Promise<WeakRef<object>> => {
  const reference = new WeakRef({})
  await new Promise((resolve) => setImmediate(resolve))
  return reference
}

test('collects the garbage of this process', async () => {
  const clock = new VirtualClock()
  const reference = await garbage()
  const stop = softHeapLimit(clock, 1)
  await clock.advance(2_000)
  expect(reference.deref()).toBeUndefined()
  stop()
})
