import { inAnyTerm, near, spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { nodePrice } from '../disruption/prices.ts'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { CAPACITY_TYPE, cluster, instanceType, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** Returns a type whose Nodes have no zone label, as in clouds without zones. */
const withoutZone = (name: string): InstanceType => {
  const type = instanceType(name, 4, '16Gi')
  const none = (specs: readonly RequirementSpec[]) =>
    specs.map((spec): RequirementSpec => (spec.key === ZONE ? { key: ZONE, operator: 'DoesNotExist' } : spec))
  return {
    ...type,
    requirements: none(type.requirements),
    offerings: [{ requirements: none(type.offerings[0]?.requirements ?? []), price: 0.4, available: true }],
  }
}

const general = cluster().pool('general', { types: [withoutZone('metal')] })
const wanting = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: readonly string[]) =>
  inAnyTerm([{ key: ZONE, operator, values: [...values] }])

describe('a type without zone (docs/spec/provider-contract.md#data-model)', () => {
  test('is launched for pods without zone requirements, and the plan names no zone', () => {
    const { plan, failed } = general.schedule(pod('a'))
    expect(failed).toEqual([])
    expect(plan.claims[0]?.cheapest).toMatchObject({ instanceType: 'metal', zone: '' })
    expect(plan.claims[0]?.spec.requirements.some(({ key }) => key === ZONE)).toBe(false)
  })

  test.each([
    ['In', ['zone-1'], false],
    ['Exists', [], false],
    ['In', [''], false],
    ['NotIn', ['zone-1'], true],
    ['DoesNotExist', [], true],
  ] as const)('a pod with %s %j is placed as on a Node without the label', (operator, values, isPlaced) => {
    const { failed } = general.schedule(pod('a', { spec: wanting(operator, ...values) }))
    expect(failed.length === 0).toBe(isPlaced)
  })

  test('is not a domain, so pods that must spread over zones or share a zone are not placed on it', () => {
    const spread = spreadOver(ZONE, 'web')
    expect(general.schedule(...replicas(2, 'web', { spec: spread })).failed).toHaveLength(2)
    expect(general.schedule(pod('web-0', { spec: near(ZONE, 'web') })).failed).toEqual(['web-0'])
  })

  test('cannot be used by a pool that requires a zone, but can be used by a pool that excludes a zone', () => {
    const pool = (requirement: RequirementSpec) =>
      cluster().pool('p', { types: [withoutZone('metal')], requirements: [requirement] })
    expect(pool({ key: ZONE, operator: 'In', values: ['zone-1'] }).schedule(pod('a')).failed).toEqual(['a'])
    expect(pool({ key: ZONE, operator: 'NotIn', values: ['zone-1'] }).schedule(pod('a')).failed).toEqual([])
  })

  test('Nodes without a zone label have a price, and Nodes with one have none', () => {
    const capacityType = { [CAPACITY_TYPE]: 'on-demand' }
    expect(nodePrice(withoutZone('metal'), capacityType)).toBe(0.4)
    expect(nodePrice(withoutZone('metal'), { ...capacityType, [ZONE]: 'zone-1' })).toBe(0)
    expect(nodePrice(instanceType('m-4', 4, '16Gi'), capacityType)).toBe(0)
  })
})
