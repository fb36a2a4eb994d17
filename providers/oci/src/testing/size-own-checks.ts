import { capacityTypes, formatResources, labels, parseResources } from '@kerf/apis'
import {
  declaredPrices,
  type InstanceView,
  isInsufficientCapacity,
  offeringAllocatable,
  offeringCoordinates,
  usableOfferings,
} from '@kerf/provider-contract'
import {
  type Checks,
  type ConformanceHarness,
  expectRejection,
  launch,
  never,
  unavailableOfferings,
} from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { communityLabels, oracleLabels, PREEMPTIBLE, type Upstream } from '../names.ts'
import { anyCapacity, preemptibleClaim } from './check-support.ts'

/**
 * Returns the type of an instance. With an OciNodeClass, all sizes of a flexible shape have the same label, so CPU and memory identify the
 * type.
 */
const launchedType = async (harness: ConformanceHarness, { labels: own, capacity }: InstanceView) => {
  const found = (await harness.provider.instanceTypes(harness.pool(), never)).find(
    (type) =>
      type.requirements.some(
        ({ key, values }) => key === labels.instanceType && values?.includes(own[labels.instanceType] ?? ''),
      ) &&
      formatResources(type.capacity)['cpu'] === capacity['cpu'] &&
      formatResources(type.capacity)['memory'] === capacity['memory'],
  )
  if (found === undefined) throw new Error(`no type of ${own[labels.instanceType]} has the capacity of the instance`)
  return found
}

const priceOf = async (harness: ConformanceHarness, view: InstanceView): Promise<number | undefined> => {
  const type = await launchedType(harness, view)
  return type.offerings.find((offering) => {
    const { zone, capacityType } = offeringCoordinates(type, offering)
    return zone === view.labels[labels.zone] && capacityType === view.labels[labels.capacityType]
  })?.price
}

/**
 * Checks of the choice of a size. They replace the suite's checks, because several sizes may have the same label, the name of their shape.
 */
export const sizeChecks = (upstream: Upstream): Checks => ({
  C04: async (harness) => {
    const { view } = await launch(harness, 'a')
    const type = await launchedType(harness, view)
    expect(parseResources(view.capacity)).toEqual(type.capacity)
    expect(parseResources(view.allocatable)).toEqual(offeringAllocatable(type))
  },
  C12: async (harness) => {
    for (const [name, values] of [
      ['preemptible', anyCapacity(upstream).values],
      ['on-demand', [capacityTypes.onDemand]],
    ] as const) {
      const requirements = [{ key: labels.capacityType, operator: 'In' as const, values }]
      const claim = await preemptibleClaim(harness, name, requirements)
      const view = await harness.provider.create(claim, never)
      // An OCINodeClass offers preemptible instances only if the NodePool has the taint.
      const isOffered = upstream === 'community' || name === 'on-demand'
      const cheapest = Math.min(
        ...(await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
          usableOfferings(type, requirements).map(({ price = Number.POSITIVE_INFINITY }) => price),
        ),
      )
      if (isOffered) expect(await priceOf(harness, view)).toBe(cheapest)
      else expect(view.labels[labels.capacityType]).toBe(PREEMPTIBLE.oracle)
    }
  },
  T11: async (harness) => {
    const declared = declaredPrices(harness.informers)
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.onDemand] }]
    const launchAs = async (name: string) => harness.provider.create(await harness.claim(name, { requirements }), never)
    const first = await launchedType(harness, await launchAs('before'))
    const listed = await harness.provider.instanceTypes(harness.pool(), never)
    const cheap = { capacityType: 'on-demand', price: 0.000_001, asOf: 0 } as const
    declared.replace(listed.flatMap(({ name }) => (name === first.name ? [] : [{ ...cheap, instanceType: name }])))
    expect(await priceOf(harness, await launchAs('declared'))).toBe(cheap.price)
    declared.replace([])
    expect((await launchedType(harness, await launchAs('after'))).name).toBe(first.name)
  },
  C17: async (harness) => {
    const { view } = await launch(harness, 'first')
    const type = await launchedType(harness, view)
    const { [labels.zone]: zone = '', [labels.capacityType]: capacityType = '' } = view.labels
    harness.cloud.stockOut({ instanceType: type.name, zone, capacityType })
    const requirements = [
      { key: labels.instanceType, operator: 'In' as const, values: [type.name] },
      { key: labels.zone, operator: 'In' as const, values: [zone] },
      { key: labels.capacityType, operator: 'In' as const, values: [capacityType] },
    ]
    const error = await expectRejection(harness.provider.create(await harness.claim('second', { requirements }), never))
    expect(isInsufficientCapacity(error)).toBe(true)
    // A host without capacity for a size has no capacity for a larger size either.
    const marked = await unavailableOfferings(harness)
    expect(marked).toContainEqual({ instanceType: type.name, zone, capacityType })
    const shape = view.labels[upstream === 'oracle' ? oracleLabels.shape : communityLabels.shape] ?? ''
    expect(
      marked.every(
        (each) => each.instanceType.startsWith(shape) && each.zone === zone && each.capacityType === capacityType,
      ),
    ).toBe(true)
    const third = await harness.provider.create(await harness.claim('third'), never)
    expect([third.labels[labels.zone], (await launchedType(harness, third)).name]).not.toEqual([zone, type.name])
  },
})
