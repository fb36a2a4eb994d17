import { kinds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { deployment, Story } from '../cluster/story.ts'
import type { CloudInstance } from './cloud-instance.ts'
import { type InstanceFate, SimulatedCloud } from './simulated-cloud.ts'

const start = async (fateOf: (instance: CloudInstance) => InstanceFate = () => ({})) => {
  let cloud: SimulatedCloud | undefined
  const story = await Story.start({
    more: (clock) => {
      const offerings = [{ instanceType: 'm', zone: 'z1', capacityType: 'spot', price: 0.1 }]
      cloud = new SimulatedCloud({ clock, random: new SeededRandom(2), offerings, fateOf })
      return { cloud }
    },
  })
  if (cloud === undefined) throw new Error('no cloud')
  return { story, cloud }
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

test('a launched machine becomes a ready node that takes pods', async () => {
  const { story, cloud } = await start()
  await using _ = story
  await story.apply(deployment('web', 3, { cpu: '1' }))
  const { providerID } = await run(cloud, 'one')
  await story.pass(24_000)
  expect(story.list(kinds.Node)).toEqual([])
  await story.settle()
  expect(story.list(kinds.Node).map((node) => node.spec.providerID)).toEqual([providerID])
  expect(story.perNode()).toEqual({ one: 3 })
})

test('an interrupted machine goes with its node, and its pods run on another', async () => {
  const { story, cloud } = await start()
  await using _ = story
  const { id } = await run(cloud, 'one')
  await story.settle()
  await story.apply(deployment('web', 2, { cpu: '1' }))
  await story.settle()
  expect(story.perNode()).toEqual({ one: 2 })
  await run(cloud, 'two')
  cloud.interrupt({ id })
  await story.pass(4 * 60_000)
  await story.settle()
  expect(story.list(kinds.Node).map((node) => node.metadata.name)).toEqual(['two'])
  expect(story.perNode()).toEqual({ two: 2 })
})

test('a machine that never registers costs money and is no node', async () => {
  const { story, cloud } = await start(() => ({ registrationDelay: 'never' }))
  await using _ = story
  await run(cloud, 'lost')
  await story.pass(3_600_000)
  expect(story.list(kinds.Node)).toEqual([])
  expect(cloud.instances().map(({ state }) => state)).toEqual(['running'])
  expect(cloud.totalCost()).toBeCloseTo(0.1)
})
