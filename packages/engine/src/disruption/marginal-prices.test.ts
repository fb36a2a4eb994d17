import { parseQuantity } from '@kerf/apis'
import { expect, test } from 'vitest'
import type { Commitment } from '../snapshot.ts'
import { coveredShares, coveringCommitment, withMarginalPrices } from './marginal-prices.ts'

// docs/spec/policies.md#commitments

const ONE = parseQuantity('1')

const commitment = (covers: number, ...nodes: readonly string[]): Commitment => ({
  name: 'c',
  units: new Map([['t', ONE]]),
  free: BigInt(covers - nodes.length) * ONE,
  uses: new Map(nodes.map((node) => [node, { units: ONE, share: 1 }])),
})

const nodes = ['a', 'b', 'c', 'x'].map((name) => ({ name, price: 2 }))
const prices = (covers: number, names: readonly string[], overhead = 0): readonly (number | undefined)[] =>
  withMarginalPrices(
    nodes.filter(({ name }) => names.includes(name)),
    [commitment(covers, 'a', 'b', 'c')],
    overhead,
  ).map(({ price }) => price)

test('removing a node saves its price while more nodes run than the commitment covers', () => {
  expect(prices(3, ['a'])).toEqual([0])
  expect(prices(2, ['b'])).toEqual([2])
  expect(prices(2, ['a', 'b', 'x'])).toEqual([2, 0, 2])
  expect(prices(1, ['a', 'b', 'c'])).toEqual([2, 2, 0])
  expect(prices(0, ['a', 'b', 'c'])).toEqual([2, 2, 2])
})

test('the cost of every node in addition to its instance is saved as well', () => {
  expect(prices(3, ['a', 'x'], 0.5)).toEqual([0.5, 2])
})

test('a covered node costs nothing even if its price is unknown', () => {
  const unpriced = [{ name: 'a', price: undefined }]
  expect(withMarginalPrices(unpriced, [commitment(1, 'a')])).toEqual([{ name: 'a', price: 0 }])
  expect(withMarginalPrices(unpriced, [commitment(0, 'a')])).toEqual(unpriced)
})

test('without commitments, the nodes are the same objects', () => {
  expect(withMarginalPrices(nodes)).toBe(nodes)
})

test('a commitment keeps nodes only if all are covered and none is in excess', () => {
  const kept = (covers: number, ...names: readonly string[]) =>
    coveringCommitment(
      nodes.filter(({ name }) => names.includes(name)),
      [commitment(covers, 'a', 'b', 'c')],
    )
  expect(kept(3, 'a', 'b')).toBe('c')
  expect(kept(3, 'a', 'x')).toBeUndefined()
  expect(kept(2, 'a')).toBeUndefined()
})

test('the sum of the shares is the number of nodes that the commitment covers', () => {
  expect([...coveredShares([commitment(2, 'a', 'b', 'c')])]).toEqual([
    ['a', 1],
    ['b', 1],
  ])
  expect(coveredShares([commitment(5, 'a')]).size).toBe(1)
  expect(coveredShares().size).toBe(0)
})

/** Commitment a covers a quarter of n and commitment b the rest, of which `excess` units are not covered. */
const split = (excess: bigint): readonly Commitment[] => [
  { name: 'a', units: new Map(), free: 0n, uses: new Map([['n', { units: ONE, share: 0.25 }]]) },
  { name: 'b', units: new Map(), free: -excess, uses: new Map([['n', { units: 10n * ONE, share: 0.75 }]]) },
]
const n = { name: 'n', price: 4 }

test('the price of a node that several commitments cover is the share that none of them covers', () => {
  expect([...coveredShares(split(0n))]).toEqual([['n', 1]])
  expect([...coveredShares(split(5n * ONE))]).toEqual([['n', 0.625]])
  expect(withMarginalPrices([n], split(0n))[0]?.price).toBe(0)
  expect(withMarginalPrices([n], split(5n * ONE))[0]?.price).toBeCloseTo(1.5)
  expect(coveringCommitment([n], split(0n))).toBe('a')
  expect(coveringCommitment([n], split(ONE))).toBeUndefined()
})
