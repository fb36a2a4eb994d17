import { parseResources } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { isSameInstanceTypes, isSameOffer, type OfferedTypes } from './offered-types.ts'

const POOL = nodePool('a', {})
const offered = (...list: readonly InstanceType[]): OfferedTypes =>
  new Map([['a', { pool: POOL, list, byName: new Map(list.map((type) => [type.name, type])) }]])
const small = (change: Partial<InstanceType> = {}): InstanceType => ({
  name: 'small',
  requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['small'] }],
  offerings: [
    {
      requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] }],
      price: 1,
      available: true,
    },
  ],
  capacity: parseResources({ cpu: '2', memory: '8Gi' }),
  overhead: { kubeReserved: parseResources({ cpu: '100m' }) },
  ...change,
})
const withOfferings = (change: Partial<Offering>): InstanceType =>
  small({ offerings: small().offerings.map((offering) => ({ ...offering, ...change })) })

test('instance types with equal content count as unchanged, even if the provider returns new objects', () => {
  expect(small()).not.toBe(small())
  expect(isSameInstanceTypes(offered(small()), offered(small()))).toBe(true)
  expect(isSameOffer(offered(small()), offered(small()))).toBe(true)
})

test.each([
  ['a price', offered(withOfferings({ price: 7 }))],
  ['a price that has become unknown', offered(withOfferings({ price: undefined }))],
  ['availability', offered(withOfferings({ available: false }))],
  ['capacity', offered(small({ capacity: parseResources({ cpu: '3', memory: '8Gi' }) }))],
  ['an additional type', offered(small(), small({ name: 'large' }))],
  ['a missing type', offered()],
])('instance types that differ in %s count as changed', (_what, other) => {
  expect(isSameInstanceTypes(offered(small()), other)).toBe(false)
  expect(isSameOffer(offered(small()), other)).toBe(false)
})
