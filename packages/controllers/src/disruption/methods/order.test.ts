import { describe, expect, test } from 'vitest'
import { candidate as made } from '../../testing/candidate.ts'
import { bySavingsRatio, type Candidate, snakeCase } from '../candidates/candidate.ts'
import { worthKeepingLast } from '../candidates/worth-keeping.ts'
import { interleaved } from './single-node.ts'

const candidate = (name: string, poolName: string, price: number, disruption: number): Candidate =>
  made(name, { name, poolName, price, disruption })
const names = (candidates: readonly Candidate[]): readonly string[] => candidates.map(({ name }) => name)

describe('the order of candidates', () => {
  test('candidates are sorted by descending savings per disruption, in a stable order', () => {
    const all = [candidate('c', 'p', 10, 20), candidate('a', 'p', 10, 1), candidate('b', 'p', 10, 5)]
    expect(names(all.toSorted(bySavingsRatio))).toEqual(['a', 'b', 'c'])
    const equal = [candidate('z', 'p', 2, 2), candidate('x', 'p', 1, 1), candidate('y', 'p', 4, 4)]
    expect(names(equal.toSorted(bySavingsRatio))).toEqual(['x', 'y', 'z'])
  })

  test('nodes worth keeping come last, in the same order', () => {
    const [best, good, poor, worst] = [9, 7, 5, 3].map((price) => candidate(`n${price}`, 'p', price, 1))
    if (best === undefined || good === undefined || poor === undefined || worst === undefined) throw new Error()
    expect(names(worthKeepingLast([poor, good, worst, best], new Set([good, best])))).toEqual(['n5', 'n3', 'n9', 'n7'])
  })

  test('pools alternate, and the best candidate of each pool comes first', () => {
    const all = [
      candidate('a1', 'a', 9, 1),
      candidate('a2', 'a', 8, 1),
      candidate('a3', 'a', 7, 1),
      candidate('b1', 'b', 6, 1),
      candidate('c1', 'c', 5, 1),
      candidate('c2', 'c', 4, 1),
    ]
    expect(names(interleaved(all))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
    expect(interleaved([])).toEqual([])
  })
})

test.each([
  ['WhenEmptyOrUnderutilized', 'when_empty_or_underutilized'],
  ['WhenEmpty', 'when_empty'],
  ['Balanced', 'balanced'],
])('the metric label of policy %s is %s', (policy, label) => {
  expect(snakeCase(policy)).toBe(label)
})
