import { formatTime } from '@kerf/apis'
import type { ConformanceDriver, ConformanceWorld, FakeCloud } from '@kerf/provider-contract/conformance'
import { createProviderWorld } from '@kerf/provider-contract/testing'
import { type KubeClient, VirtualClock } from '@kerf/runtime'
import { skeletonDescriptor } from '../descriptor.ts'
import { skeletonNodeClass } from '../skeleton-node-class.ts'
import { PROVIDER_ID_PREFIX, SkeletonProvider, TAG } from '../skeleton-provider.ts'
import { FakeInstances, STOPPING } from './fake-instances.ts'
import { notApplicable } from './not-applicable.ts'

const { kind } = skeletonNodeClass
const classRef = { group: kind.group, kind: kind.kind, name: 'default' } as const

const fakeCloud = (fake: FakeInstances): FakeCloud => {
  const put = (tags: Readonly<Record<string, string>>, age: number): string =>
    `${PROVIDER_ID_PREFIX}${fake.put({ type: 'small', zone: 'zone-a', tags }, age).id}`
  return {
    instances: async () =>
      fake.all().map(({ id, state, tags }) => ({
        providerID: `${PROVIDER_ID_PREFIX}${id}`,
        state: state === 'running' ? state : 'terminating',
        tags,
      })),
    fail: (call, failure) => void fake.failing.set(call, failure),
    recover: () => fake.failing.clear(),
    stockOut: () => {},
    restock: () => {},
    count: (call) => fake.calls.filter((each) => each === call).length,
    plantForeign: async () => put({}, 0),
    plantLeaked: async (age) => put({ [TAG.owner]: 'owned', [TAG.uid]: 'gone', [TAG.claim]: 'gone' }, age),
    vanish: async (providerID) => fake.remove(providerID.slice(PROVIDER_ID_PREFIX.length)),
  }
}

/** Returns a function that brings the class into a state, as users and controllers would. */
const nodeClassSetter = (client: KubeClient, clock: VirtualClock): ConformanceWorld['setNodeClass'] => {
  const patch = (body: object, subresource?: 'status') =>
    client.patch(
      kind,
      { name: classRef.name },
      { type: 'merge', body },
      subresource === undefined ? {} : { subresource },
    )
  const ready = (status: 'False' | 'Unknown') => {
    const lastTransitionTime = formatTime(clock.now())
    const condition = { type: 'Ready', status, reason: 'Test', message: 'set by the test', lastTransitionTime }
    return patch({ status: { conditions: [condition] } }, 'status')
  }
  return async (state) => {
    if (state === 'notReady' || state === 'unknown') await ready(state === 'unknown' ? 'Unknown' : 'False')
    else {
      await patch({ metadata: { finalizers: state === 'deleting' ? ['example.com/mine'] : null } })
      await client.delete(kind, { name: classRef.name }).catch(() => {})
    }
    await clock.advance(500)
  }
}

const prepare = async (client: KubeClient): Promise<void> => {
  await client.create(kind, { ...skeletonDescriptor.nodeClasses[0].example, ...{ spec: { image: 'linux' } } })
}

const createWorld = async (seed: number): Promise<ConformanceWorld> => {
  const clock = new VirtualClock()
  const fake = new FakeInstances(clock)
  const { permissions } = skeletonDescriptor
  const world = await createProviderWorld({
    ...{ seed, clock, classRef, permissions, prepare, nodeClasses: [skeletonNodeClass] },
    newProvider: (context) => new SkeletonProvider(context, fake),
  })
  const made: ConformanceWorld = {
    ...world,
    cloud: fakeCloud(fake),
    restart: () => {
      made.provider = world.newProvider()
    },
    setNodeClass: nodeClassSetter(world.client, clock),
  }
  return made
}

/** The driver of the conformance suite for the provider, in the sandbox. */
export const skeletonDriver: ConformanceDriver = {
  name: 'skeleton',
  descriptor: skeletonDescriptor,
  createWorld,
  providerID: /^skeleton:\/\/\/i-\d+$/,
  ownershipTags: ({ metadata }) => ({
    [TAG.owner]: 'owned',
    [TAG.uid]: metadata.uid ?? '',
    [TAG.claim]: metadata.name,
    [TAG.pool]: 'default',
  }),
  unavailableFor: 180_000,
  terminationDelay: STOPPING,
  own: {},
  notApplicable,
}
