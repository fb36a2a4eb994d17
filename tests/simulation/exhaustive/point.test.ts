import { expect, test } from 'vitest'
import { drawTenth, listPoints, type Point, pointKinds, pointText, readPoint } from './point.ts'

const counts = { writes: 31, effects: 20, events: 40, answers: 3 }

test('each write, effect and answer yields one point, and each event yields two', () => {
  const points = listPoints(counts)
  expect(points).toHaveLength(31 + 20 + 2 * 40 + 3)
  expect(new Set(points.map(pointText)).size).toBe(points.length)
  const numbers = (kind: Point['kind']) => points.filter((point) => point.kind === kind).map(({ index }) => index)
  expect(numbers('answer-lost')).toEqual([1, 2, 3])
  expect(numbers('crash-after').at(-1)).toBe(20)
})

test('a tenth of the points contains every kind, and the same seed selects the same points', () => {
  const tenth = drawTenth('a')(counts, 'launch')
  const ofKind = pointKinds.map((kind) => tenth.filter((point) => point.kind === kind).length)
  expect(ofKind).toEqual([4, 2, 4, 4, 1])
  expect(new Set(tenth.map(pointText)).size).toBe(tenth.length)
  const all = listPoints(counts).map(pointText)
  expect(tenth.filter((point) => !all.includes(pointText(point)))).toEqual([])
  expect(drawTenth('a')(counts, 'launch')).toEqual(tenth)
  expect(drawTenth('b')(counts, 'launch')).not.toEqual(tenth)
})

test('formatting and parsing a point gives the same point', () => {
  for (const point of listPoints(counts)) expect(readPoint(pointText(point))).toEqual(point)
  for (const text of ['crash-before', 'crash-before:0', 'crash-before:1:2', 'crash-before:x', 'crash:1', ''])
    expect(readPoint(text)).toBeUndefined()
})
