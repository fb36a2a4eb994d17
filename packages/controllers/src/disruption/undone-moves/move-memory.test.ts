import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { OfferedTypes } from '../candidates/offered-types.ts'
import { MoveMemory } from './move-memory.ts'
import type { SharedPools } from './shared-pools.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const offers = (consolidateAfter = '0s', names: readonly string[] = ['a']): OfferedTypes =>
  new Map(
    names.map((name) => [
      name,
      { pool: nodePool(name, { disruption: { consolidateAfter } }), list: [], byName: new Map() },
    ]),
  )
const OFFERS = offers()
const at = (price: number, pods = 3, pools: readonly string[] = ['a']): SharedPools => ({
  pools,
  price,
  demand: new Map([['web', pods]]),
})

/** Records moves that start at these prices, a minute apart. Returns the time of the last move. */
const begin = (memory: MoveMemory, prices: readonly number[], since = 0): number => {
  for (const [index, price] of prices.entries()) memory.begun(at(price), OFFERS, since + index * MINUTE)
  return since + (prices.length - 1) * MINUTE
}

test('moves never wait if each starts at a lower price than the one before', () => {
  const memory = new MoveMemory()
  const last = begin(memory, [10, 9, 8, 7, 6, 5, 4])
  expect(memory.waitsUntil(at(3), OFFERS, last)).toBeUndefined()
  expect(memory.waitsUntil(at(4), OFFERS, last)).toBeUndefined()
})

test('after the price has returned twice, a move that starts at the same price waits, but a move at a lower price does not', () => {
  const memory = new MoveMemory()
  const last = begin(memory, [10, 10, 10])
  expect(memory.waitsUntil(at(10), OFFERS, last)).toBe(last + 10 * MINUTE)
  expect(memory.waitsUntil(at(11), OFFERS, last)).toBe(last + 10 * MINUTE)
  expect(memory.waitsUntil(at(9.9), OFFERS, last)).toBeUndefined()
  expect(memory.waitsUntil(at(10), OFFERS, last + 10 * MINUTE)).toBeUndefined()
})

test('a cycle of several moves counts as one return per cycle, and every move of the cycle waits', () => {
  const memory = new MoveMemory()
  const second = begin(memory, [10, 8, 10, 8])
  expect(memory.waitsUntil(at(10), OFFERS, second)).toBeUndefined()
  const third = begin(memory, [10, 8], second + MINUTE)
  expect(memory.waitsUntil(at(10), OFFERS, third)).toBe(third + 10 * MINUTE)
  expect(memory.waitsUntil(at(8), OFFERS, third)).toBe(third + 10 * MINUTE)
})

test('each return doubles the wait, up to six hours', () => {
  const memory = new MoveMemory()
  let now = begin(memory, [10, 10, 10])
  const waits: number[] = []
  for (let turn = 0; turn < 8; turn++) {
    const until = memory.waitsUntil(at(10), OFFERS, now) ?? now
    waits.push((until - now) / MINUTE)
    now = until
    memory.begun(at(10), OFFERS, now)
  }
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 360, 360])
})

test.each([
  ['the offers', at(10), offers('15s', ['a', 'b'])],
  ['the pools that share workloads', at(10, 3, ['a', 'b']), OFFERS],
] as const)('a change of %s ends the wait', (_what, shared, types) => {
  const memory = new MoveMemory()
  const last = begin(memory, [10, 10, 10])
  expect(memory.waitsUntil(shared, types, last)).toBeUndefined()
})

test('a different demand ends the wait after a minute, because pods that move are missing for a moment', () => {
  const memory = new MoveMemory()
  const last = begin(memory, [10, 10, 10])
  expect(memory.waitsUntil(at(10, 2), OFFERS, last + 1)).toBe(last + 1 + MINUTE)
  memory.begun(at(10, 2), OFFERS, last + 2)
  expect(memory.waitsUntil(at(10), OFFERS, last + 3)).toBe(last + 2 + 20 * MINUTE)
  const changed = last + MINUTE
  expect(memory.waitsUntil(at(10, 4), OFFERS, changed)).toBe(changed + MINUTE)
  expect(memory.waitsUntil(at(10, 4), OFFERS, changed + MINUTE - 1)).toBe(changed + MINUTE)
  expect(memory.waitsUntil(at(10, 4), OFFERS, changed + MINUTE)).toBeUndefined()
  expect(memory.waitsUntil(at(10), OFFERS, changed + MINUTE)).toBeUndefined()
})

test('a new lowest price resets the count', () => {
  const memory = new MoveMemory()
  const last = begin(memory, [10, 10, 9])
  memory.begun(at(9), OFFERS, last + MINUTE)
  expect(memory.waitsUntil(at(9), OFFERS, last + MINUTE)).toBeUndefined()
})

test('a return long after the wait does not count; for pools with a longer consolidateAfter it counts for longer', () => {
  const memory = new MoveMemory()
  begin(memory, [10, 10])
  memory.begun(at(10), OFFERS, HOUR)
  memory.begun(at(10), OFFERS, HOUR + MINUTE)
  expect(memory.waitsUntil(at(10), OFFERS, HOUR + MINUTE)).toBeUndefined()

  const slow = offers('2h')
  const patient = new MoveMemory()
  for (const time of [0, 3 * HOUR, 6 * HOUR]) patient.begun(at(10), slow, time)
  expect(patient.waitsUntil(at(10), slow, 6 * HOUR)).toBe(6 * HOUR + 10 * MINUTE)
})
