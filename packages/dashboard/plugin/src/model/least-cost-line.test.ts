import { expect, test } from 'vitest'
import { withLeastCost } from './least-cost-line.ts'

const DAY = 86_400_000
const line = (...readings: readonly (readonly [time: number, cost: number])[]) =>
  readings.reduce<ReturnType<typeof withLeastCost>>((points, [time, cost]) => withLeastCost(points, time, cost), [])

test('the lowest possible cost begins at the time at which it was first known', () => {
  expect(line([5 * DAY, 2])).toEqual([{ time: 5 * DAY, value: 2 }])
})

test('each later value is a point of its own time, once a minute', () => {
  const points = line([DAY, 2], [DAY + 10_000, 2], [DAY + 20_000, 3], [DAY + 70_000, 4], [DAY + 200_000, 5])
  expect(points.map(({ time, value }) => [time - DAY, value])).toEqual([
    [0, 2],
    [20_000, 3],
    [70_000, 4],
    [200_000, 5],
  ])
})

test('points older than a day are dropped', () => {
  expect(line([0, 1], [120_000, 2], [DAY + 60_000, 3]).map(({ value }) => value)).toEqual([2, 3])
})
