import { labels, parseResources, type ResourceList } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { nodeClaim, unreadable } from '@kerf/testing'
import { expect, test } from 'vitest'
import { largestCapacity } from './unlaunched-capacity.ts'

const type = (name: string, capacity: ResourceList): InstanceType => ({
  ...{ name, requirements: [], offerings: [], overhead: {} },
  capacity: parseResources(capacity),
})
const types = [
  type('small', { cpu: '2', memory: '16Gi' }),
  type('large', { cpu: '4', memory: '8Gi' }),
  type('other', { cpu: '64', memory: '256Gi' }),
]
const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: ['small', 'large'] }]
const claim = nodeClaim('general-1', { spec: { requirements } })
const NOTHING = parseResources({})

test('for each resource, the largest amount among the types that the claim names counts', () => {
  expect(largestCapacity(claim, NOTHING, types)).toEqual(parseResources({ cpu: '4', memory: '16Gi' }))
})

test('the requested amount counts if no type has as much', () => {
  const requested = parseResources({ cpu: '3', 'example.com/device': '1' })
  expect(largestCapacity(claim, requested, types)).toEqual(
    parseResources({ cpu: '4', memory: '16Gi', 'example.com/device': '1' }),
  )
  expect(largestCapacity(claim, requested, [])).toEqual(requested)
})

test.each([
  ['that names no type', nodeClaim('general-1', { spec: { requirements: [] } })],
  ['whose requirements cannot be read', unreadable(claim, ['spec', 'requirements'])],
])('for a claim %s, all types of the pool count', (_, without) => {
  expect(largestCapacity(without, NOTHING, types)).toEqual(parseResources({ cpu: '64', memory: '256Gi' }))
})
