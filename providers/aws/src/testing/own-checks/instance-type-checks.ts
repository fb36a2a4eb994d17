import { coordinatesOf } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { never } from '../aws-world.ts'
import { awsWorldOf } from '../conformance-worlds.ts'
import { minutes } from './launch.ts'

/** Checks of instance types: settings of the node class, zones of its subnets, and prices while AWS cannot be reached. */
export const instanceTypeChecks: Checks = {
  T06: async (world) => {
    const own = awsWorldOf(world)
    const podsOf = async () =>
      (await world.provider.instanceTypes(world.pool(), never)).find(({ name }) => name === 'm5.large')
    const before = await podsOf()
    await own.change({ kubelet: { maxPods: 7, kubeReserved: { cpu: '1' } } })
    const after = await podsOf()
    expect(after?.capacity['pods']).toBe(7_000_000_000n)
    expect(after?.overhead.kubeReserved?.['cpu']).toBe(1_000_000_000n)
    expect(before?.capacity['pods']).not.toBe(after?.capacity['pods'])
  },
  T08: async (world) => {
    const own = awsWorldOf(world)
    await own.change({ subnetSelectorTerms: [{ id: 'subnet-b' }] })
    const types = await world.provider.instanceTypes(world.pool(), never)
    const open = types.flatMap((type) =>
      type.offerings.filter(({ available }) => available).map((each) => coordinatesOf(type, each).zone),
    )
    expect(new Set(open)).toEqual(new Set(['us-east-1b']))
  },
  T09: async (world) => {
    const own = awsWorldOf(world)
    const priceOf = async () => {
      const type = (await world.provider.instanceTypes(world.pool(), never)).find(({ name }) => name === 'm5.large')
      return type?.offerings.map(({ price }) => price)
    }
    const before = await priceOf()
    own.aws.pricing.faults.standing('getProducts', { code: 'InternalError', status: 500 })
    own.aws.ec2.faults.standing('describeSpotPriceHistory', { code: 'InternalError', status: 500 })
    await world.clock.advance(13 * 60 * minutes(1))
    expect(await priceOf()).toEqual(before)
    world.restart()
    expect((await priceOf())?.every((price) => (price ?? 0) > 0)).toBe(true)
  },
}
