import { labels, toQuantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { Subnets } from './subnets.ts'

const never = new AbortController().signal
const ZONE = 'us-east-1a'

/** Returns an instance type with this many pods that is available on-demand in the zone. */
const typeWith = (pods: number): InstanceType => ({
  name: `t${pods}`,
  requirements: [],
  offerings: [
    {
      requirements: [
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
        { key: labels.zone, operator: 'In', values: [ZONE] },
      ],
      price: 1,
      available: true,
    },
  ],
  capacity: { pods: toQuantity(pods) },
  overhead: {},
})

const harness = async (free: Readonly<Record<string, number>>) => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  ec2.subnets = Object.entries(free).map(([SubnetId, AvailableIpAddressCount]) => ({
    SubnetId,
    AvailabilityZone: ZONE,
    AvailableIpAddressCount,
    Tags: [{ Key: 'karpenter.sh/discovery', Value: 'demo' }],
  }))
  const subnets = new Subnets(ec2, clock, { refreshInterval: 60_000 })
  const nodeClass = ec2NodeClass('default', { spec: nodeClassSpec, metadata: { uid: 'u' } })
  const find = () => subnets.find(nodeClass, never)
  const found = await find()
  const choose = () => subnets.choose(found, [typeWith(29), typeWith(10)], 'on-demand')
  return { clock, ec2, subnets, found, find, choose, chosen: (choice = choose()) => choice.byZone.get(ZONE)?.id }
}

test('subnets are listed and chosen by their free addresses', async () => {
  const { found, chosen } = await harness({ 'subnet-1': 5, 'subnet-2': 50, 'subnet-3': 20 })
  expect(found.map(({ id }) => id)).toEqual(['subnet-2', 'subnet-3', 'subnet-1'])
  expect(chosen()).toBe('subnet-2')
})

test('launches since the last reading are counted, so concurrent launches are spread', async () => {
  const { chosen } = await harness({ 'subnet-1': 25, 'subnet-2': 20 })
  // Each launch takes ten addresses, as many as the smallest possible instance type needs.
  expect([chosen(), chosen(), chosen(), chosen()]).toEqual(['subnet-1', 'subnet-2', 'subnet-1', 'subnet-2'])
})

test('a failed launch releases its addresses, and a successful one does not', async () => {
  const { subnets, choose, chosen } = await harness({ 'subnet-1': 25, 'subnet-2': 20 })
  const failed = choose()
  subnets.settle(failed, new Set())
  const through = choose()
  expect(chosen(failed)).toBe('subnet-1')
  expect(chosen(through)).toBe('subnet-1')
  subnets.settle(through, new Set(['subnet-1']))
  expect(chosen()).toBe('subnet-2')
})

test('a newer reading takes precedence', async () => {
  const { clock, ec2, subnets, choose, chosen, find } = await harness({ 'subnet-1': 25, 'subnet-2': 20 })
  const choice = choose()
  ec2.subnets = ec2.subnets.map((each) => ({
    ...each,
    AvailableIpAddressCount: each.SubnetId === 'subnet-1' ? 15 : 20,
  }))
  await clock.advance(61_000)
  await find()
  subnets.settle(choice, new Set())
  expect(chosen()).toBe('subnet-2')
  // Later launches start from the newer reading, so `settle` does not release the addresses of the earlier launch.
  const later = [choose(), choose()]
  subnets.settle(choice, new Set())
  expect(later.map(chosen)).toEqual(['subnet-1', 'subnet-2'])
  expect(subnets.freeAddresses([{ id: 'subnet-1', zone: ZONE }])).toEqual([{ subnet: 'subnet-1', zone: ZONE, free: 5 }])
})

test('a subnet in which EC2 found no address comes last', async () => {
  const { subnets, chosen } = await harness({ 'subnet-1': 25, 'subnet-2': 20 })
  subnets.exhausted('subnet-1')
  expect(chosen()).toBe('subnet-2')
})
