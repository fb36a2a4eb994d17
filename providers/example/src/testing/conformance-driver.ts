import { formatTime } from '@kerf/apis'
import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import { createProviderHarness } from '@kerf/provider-contract/testing'
import { type KubeClient, VirtualClock } from '@kerf/runtime'
import { exampleDescriptor } from '../descriptor.ts'
import { exampleNodeClass } from '../example-node-class.ts'
import { ExampleProvider, HASH, PROVIDER_ID_PREFIX, TAG, UNAVAILABLE_FOR } from '../example-provider.ts'
import type { ServerApi } from '../server-api.ts'
import { FakeServers } from './fake-servers.ts'
import { notApplicable } from './not-applicable.ts'
import { ownChecks } from './own-checks.ts'

const STOP_DELAY = 4_000
const { kind } = exampleNodeClass
const classRef = { group: kind.group, kind: kind.kind, name: 'default' } as const

const fakeCloud = (servers: FakeServers): FakeCloud => ({
  instances: async () =>
    servers.all().map(({ id, state, tags }) => ({
      providerID: `${PROVIDER_ID_PREFIX}${id}`,
      state: state === 'running' ? state : 'terminating',
      tags,
    })),
  fail: (call, failure) => servers.fail(call, failure),
  failAfterwards: (call, failure) => servers.fail(call, failure, true),
  recover: () => servers.recover(),
  stockOut: (pattern) => void servers.outOfStock.push(pattern),
  restock: () => {
    servers.outOfStock = []
  },
  count: (call) => servers.calls.filter((each) => each === call).length,
  plantForeign: async () => {
    const { id } = servers.put({ token: 'foreign', type: 's-2', zone: 'example-1a', isSpot: false, tags: {} }, 0)
    return `${PROVIDER_ID_PREFIX}${id}`
  },
  plantLeaked: async (age) => {
    const tags = { [TAG.owner]: 'owned', [TAG.uid]: 'gone', [TAG.claim]: 'gone' }
    const { id } = servers.put({ token: 'gone', type: 's-2', zone: 'example-1a', isSpot: false, tags }, age)
    return `${PROVIDER_ID_PREFIX}${id}`
  },
  vanish: async (providerID) => servers.remove(providerID.slice(PROVIDER_ID_PREFIX.length)),
})

/** Returns a function that puts the node class into a given state, as users and controllers would. */
const nodeClassSetter = (client: KubeClient, clock: VirtualClock) => {
  const ref = { name: classRef.name }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  const ready = (status: 'False' | 'Unknown') => {
    const lastTransitionTime = formatTime(clock.now())
    const conditions = [{ type: 'Ready', status, reason: 'Test', message: 'set by the test', lastTransitionTime }]
    return client.patch(kind, ref, { type: 'merge', body: { status: { conditions } } }, { subresource: 'status' })
  }
  return async (state: NodeClassState): Promise<void> => {
    switch (state) {
      case 'missing':
        await finalizers(null)
        await client.delete(kind, ref).catch(() => {})
        break
      case 'deleting':
        await finalizers(['example.com/mine'])
        await client.delete(kind, ref)
        break
      case 'notReady':
        await ready('False')
        break
      case 'unknown':
        await ready('Unknown')
    }
    await clock.advance(500)
  }
}

/** Creates the node class. */
const prepare = async (client: KubeClient): Promise<void> => {
  const [{ example: nodeClass }] = exampleDescriptor.nodeClasses
  await client.create(kind, { ...nodeClass, ...{ spec: { image: 'linux-2026' } } })
}

/** Creates a harness with this provider, or with another provider that uses the same servers. */
export const exampleHarness = async (
  seed: number,
  make: (context: ProviderContext, servers: ServerApi) => CloudProvider = (context, servers) =>
    new ExampleProvider(context, servers),
): Promise<ConformanceHarness> => {
  const clock = new VirtualClock()
  const servers = new FakeServers(clock, STOP_DELAY)
  const { permissions } = exampleDescriptor
  const newProvider = (context: ProviderContext): CloudProvider => make(context, servers)
  const harness = await createProviderHarness({
    ...{ seed, clock, classRef, permissions, prepare, newProvider },
    nodeClasses: [exampleNodeClass],
  })
  const made: ConformanceHarness = {
    ...harness,
    cloud: fakeCloud(servers),
    restart: () => {
      made.provider = harness.newProvider()
    },
    setNodeClass: nodeClassSetter(harness.client, clock),
  }
  return made
}

/** The driver of the conformance suite for this provider, in the sandbox. */
export const exampleDriver: ConformanceDriver = {
  name: 'example',
  descriptor: exampleDescriptor,
  createHarness: (seed) => exampleHarness(seed),
  providerID: /^example:\/\/\/srv-\d+$/,
  ownershipTags: ({ metadata }) => ({
    [TAG.owner]: 'owned',
    [TAG.uid]: metadata.uid ?? '',
    [TAG.claim]: metadata.name,
    [TAG.pool]: 'default',
  }),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: STOP_DELAY,
  own: ownChecks(kind, HASH),
  notApplicable,
}
