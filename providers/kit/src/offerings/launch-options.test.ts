import { parseResources } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec } from '@kerf/engine'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { type LaunchDemand, launchDemand, launchOptions } from './launch-options.ts'

const only = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

const offering = (zone: string, price?: number, rest: Partial<Offering> = {}): Offering => ({
  ...{ requirements: [only('topology.kubernetes.io/zone', zone)], price, available: true },
  ...rest,
})

const type = (name: string, cpu: string, offerings: readonly Offering[], arch = 'amd64'): InstanceType => ({
  ...{ name, offerings, overhead: {} },
  requirements: [only('kubernetes.io/arch', arch)],
  capacity: parseResources({ cpu }),
})

const demand = (cpu: string, ...requirements: readonly RequirementSpec[]): LaunchDemand => ({
  ...{ requirements, requests: parseResources({ cpu }) },
})

/** Returns the options as text, for example `m a`. */
const options = (types: readonly InstanceType[], wanted: LaunchDemand): readonly string[] =>
  launchOptions(types, wanted).map((each) => `${each.type.name} ${each.offering.requirements[0]?.values?.[0]}`)

test('the cheapest option comes first, equally cheap options keep their order, and options without a price come last', () => {
  const types = [
    type('m', '4', [offering('a', 2), offering('b'), offering('c', 1)]),
    type('n', '4', [offering('a', 2)]),
  ]
  expect(options(types, demand('1'))).toEqual(['m c', 'm a', 'n a', 'm b'])
})

test('leaves out unavailable offerings and offerings that the requirements exclude', () => {
  const types = [
    type('m', '4', [offering('a', 1, { available: false }), offering('b', 2), offering('c', 3)]),
    type('arm', '4', [offering('b', 1)], 'arm64'),
  ]
  const zones = only('topology.kubernetes.io/zone', 'a', 'b')
  expect(options(types, demand('1', zones, only('kubernetes.io/arch', 'amd64')))).toEqual(['m b'])
})

test('the requests must fit on the type with the capacity of the offering', () => {
  const larger = { capacityOverride: parseResources({ cpu: '8' }) }
  const types = [
    type('small', '2', [offering('a', 1), offering('b', 2, larger)]),
    type('large', '8', [offering('a', 3)]),
  ]
  expect(options(types, demand('4'))).toEqual(['small b', 'large a'])
})

test('the demand of a claim comes from its spec', () => {
  const zone = only('topology.kubernetes.io/zone', 'a')
  const claim = nodeClaim('a', { spec: { requirements: [zone], resources: { requests: { cpu: '3' } } } })
  expect(launchDemand(claim)).toEqual(demand('3', zone))
  const bare = nodeClaim('a')
  const { resources: _, ...spec } = bare.spec
  expect(launchDemand({ ...bare, spec })).toMatchObject({ requests: {} })
})
