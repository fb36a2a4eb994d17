import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { keepSmallHeapSmall } from './small-heap.ts'

const MEBIBYTE = 1_048_576

test('saves memory from the start, stops above 128 MiB, and resumes below 96 MiB', async () => {
  const clock = new VirtualClock()
  const said: boolean[] = []
  let used = 50
  const stop = keepSmallHeapSmall(clock, {
    used: () => used * MEBIBYTE,
    setThrifty: (is) => said.push(is),
    boundGarbage: () => {},
  })
  expect(said).toEqual([true])
  await clock.advance(60_000)
  expect(said).toEqual([true])
  used = 129
  await clock.advance(1_000)
  expect(said).toEqual([true, false])
  used = 100
  await clock.advance(60_000)
  expect(said).toEqual([true, false])
  used = 95
  await clock.advance(10_000)
  expect(said).toEqual([true, false, true])
  stop()
  expect(clock.pending).toBe(0)
})

test('limits the garbage of a heap that has been large for 20 seconds, as long as it stays large', async () => {
  const clock = new VirtualClock()
  const said: boolean[] = []
  let used = 50
  const stop = keepSmallHeapSmall(clock, {
    used: () => used * MEBIBYTE,
    setThrifty: () => {},
    boundGarbage: (is) => said.push(is),
  })
  await clock.advance(60_000)
  used = 400
  await clock.advance(20_000)
  expect(said).toEqual([])
  await clock.advance(1_000)
  expect(said).toEqual([true])
  await clock.advance(60_000)
  used = 90
  await clock.advance(1_000)
  expect(said).toEqual([true, false])
  used = 400
  await clock.advance(10_000)
  expect(said).toEqual([true, false])
  stop()
})
