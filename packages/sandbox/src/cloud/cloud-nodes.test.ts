import { kinds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { deployment, VirtualCluster } from '../testing/virtual-cluster.ts'
import type { CloudInstance } from './cloud-instance.ts'
import { type InstanceOverrides, SimulatedCloud } from './simulated-cloud.ts'

const start = async (overridesFor: (instance: CloudInstance) => InstanceOverrides = () => ({})) => {
  let cloud: SimulatedCloud | undefined
  const cluster = await VirtualCluster.start({
    more: (clock) => {
      const offerings = [{ instanceType: 'm', zone: 'z1', capacityType: 'spot', price: 0.1 }]
      cloud = new SimulatedCloud({ clock, random: new SeededRandom(2), offerings, overridesFor })
      return { cloud }
    },
  })
  if (cloud === undefined) throw new Error('no cloud')
  return { cluster, cloud }
}

const run = async (cloud: SimulatedCloud, name: string): Promise<CloudInstance> =>
  await cloud.run({
    token: name,
    offerings: [{ instanceType: 'm', zone: 'z1', capacityType: 'spot' }],
    node: () => {
      const resources = { cpu: '4', memory: '8Gi', pods: '20' }
      return { name, labels: { 'topology.kubernetes.io/zone': 'z1' }, capacity: resources, allocatable: resources }
    },
  })

test('a launched instance becomes a ready node that runs pods', async () => {
  const { cluster, cloud } = await start()
  await using _ = cluster
  await cluster.apply(deployment('web', 3, { cpu: '1' }))
  const { providerID } = await run(cloud, 'one')
  await cluster.pass(24_000)
  expect(cluster.list(kinds.Node)).toEqual([])
  await cluster.settle()
  expect(cluster.list(kinds.Node).map((node) => node.spec.providerID)).toEqual([providerID])
  expect(cluster.perNode()).toEqual({ one: 3 })
})

test('the node of an interrupted instance is deleted, and its pods run on another node', async () => {
  const { cluster, cloud } = await start()
  await using _ = cluster
  const { id } = await run(cloud, 'one')
  await cluster.settle()
  await cluster.apply(deployment('web', 2, { cpu: '1' }))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ one: 2 })
  await run(cloud, 'two')
  cloud.interrupt({ id })
  await cluster.pass(4 * 60_000)
  await cluster.settle()
  expect(cluster.list(kinds.Node).map((node) => node.metadata.name)).toEqual(['two'])
  expect(cluster.perNode()).toEqual({ two: 2 })
})

test('an instance that never registers costs money and has no node', async () => {
  const { cluster, cloud } = await start(() => ({ registrationDelay: 'never' }))
  await using _ = cluster
  await run(cloud, 'lost')
  await cluster.pass(3_600_000)
  expect(cluster.list(kinds.Node)).toEqual([])
  expect(cloud.instances().map(({ state }) => state)).toEqual(['running'])
  expect(cloud.totalCost()).toBeCloseTo(0.1)
})
