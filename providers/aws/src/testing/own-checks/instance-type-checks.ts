import { offeringCoordinates } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { never } from '../aws-harness.ts'
import { harnesses } from '../conformance-harnesses.ts'
import { minutes } from './launch.ts'

/** Checks of instance types: settings of the node class, zones of its subnets, and prices while AWS cannot be reached. */
export const instanceTypeChecks: Checks = {
  T06: async (harness) => {
    const own = harnesses.of(harness)
    const podCapacity = async () =>
      (await harness.provider.instanceTypes(harness.pool(), never)).find(({ name }) => name === 'm5.large')
    const before = await podCapacity()
    await own.change({ kubelet: { maxPods: 7, kubeReserved: { cpu: '1' } } })
    const after = await podCapacity()
    expect(after?.capacity['pods']).toBe(7_000_000_000n)
    expect(after?.overhead.kubeReserved?.['cpu']).toBe(1_000_000_000n)
    expect(before?.capacity['pods']).not.toBe(after?.capacity['pods'])
  },
  T08: async (harness) => {
    const own = harnesses.of(harness)
    await own.change({ subnetSelectorTerms: [{ id: 'subnet-b' }] })
    const types = await harness.provider.instanceTypes(harness.pool(), never)
    const open = types.flatMap((type) =>
      type.offerings.filter(({ available }) => available).map((each) => offeringCoordinates(type, each).zone),
    )
    expect(new Set(open)).toEqual(new Set(['us-east-1b']))
  },
  T09: async (harness) => {
    const own = harnesses.of(harness)
    const offeringPrice = async () => {
      const type = (await harness.provider.instanceTypes(harness.pool(), never)).find(({ name }) => name === 'm5.large')
      return type?.offerings.map(({ price }) => price)
    }
    const before = await offeringPrice()
    own.aws.pricing.faults.standing('getProducts', { code: 'InternalError', status: 500 })
    own.aws.ec2.faults.standing('describeSpotPriceHistory', { code: 'InternalError', status: 500 })
    await harness.clock.advance(13 * 60 * minutes(1))
    expect(await offeringPrice()).toEqual(before)
    harness.restart()
    expect((await offeringPrice())?.every((price) => (price ?? 0) > 0)).toBe(true)
  },
}
