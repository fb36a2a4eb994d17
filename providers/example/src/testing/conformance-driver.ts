import { apiVersionOf, crdManifests, formatTime, karpenterKinds, kinds, labels, type NodePool } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceWorld,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import {
  ControllerManager,
  type KubeClient,
  PrometheusMetrics,
  RecordingEventRecorder,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly, installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { example } from '../descriptor.ts'
import { exampleNodeClass } from '../example-node-class.ts'
import { ExampleProvider, HASH, PROVIDER_ID_PREFIX, TAG, UNAVAILABLE_FOR } from '../example-provider.ts'
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

const poolOf = (nodeClassRef: NodePool['spec']['template']['spec']['nodeClassRef']): NodePool => ({
  apiVersion: apiVersionOf(karpenterKinds.NodePool),
  kind: 'NodePool',
  metadata: { name: 'default', uid: 'pool' },
  spec: { template: { spec: { nodeClassRef, requirements: [] } } },
})

/** Brings the class into the state, as people and controllers would. */
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

/** A Kubernetes API that knows the kinds of Karpenter and of the example, and has a class. */
const startCluster = async (clock: VirtualClock, random: SeededRandom): Promise<SandboxCluster> => {
  const cluster = new SandboxCluster({ clock, random, kubelet: false, scheduler: false, events: false })
  await installCustomResources(cluster.client)
  for (const { manifest } of crdManifests({ resources: [exampleNodeClass] }))
    await cluster.client.create(kinds.CustomResourceDefinition, { ...manifest, spec: { ...manifest.spec } })
  const [{ example: nodeClass }] = example.nodeClasses
  await cluster.client.create(kind, { ...nodeClass, ...{ spec: { image: 'linux-2026' } } })
  return cluster
}

const createWorld = async (seed: number): Promise<ConformanceWorld> => {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const cluster = await startCluster(clock, random.fork('cluster'))
  const { client } = cluster
  const events = new RecordingEventRecorder()
  const log = new RecordingLogger()
  const servers = new FakeServers(clock, STOP_DELAY)
  const own = declaredOnly(client, example.permissions)
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const first = new ExampleProvider(context, servers)
  const manager = new ControllerManager({ clock, random, logger: log, metrics: new PrometheusMetrics() })
  manager.add(...first.controllers())
  const stop = new AbortController()
  void cluster.start(stop.signal)
  informers.start(stop.signal)
  void manager.run({ stop: stop.signal, abandon: stop.signal })
  await clock.advance(500)
  const world: ConformanceWorld = {
    clock,
    client,
    events,
    log,
    cloud: fakeCloud(servers),
    provider: first,
    restart: () => {
      world.provider = new ExampleProvider(context, servers)
    },
    pool: () => poolOf(classRef),
    foreignPool: () => poolOf({ group: 'other.sh', kind: 'OtherNodeClass', name: 'x' }),
    claim: (name, { requirements = [], requests } = {}) =>
      client.create(karpenterKinds.NodeClaim, {
        apiVersion: apiVersionOf(karpenterKinds.NodeClaim),
        kind: 'NodeClaim',
        metadata: { name, labels: { [labels.nodePool]: 'default' } },
        spec: {
          nodeClassRef: classRef,
          requirements,
          ...(requests === undefined ? {} : { resources: { requests } }),
        },
      }),
    setNodeClass: nodeClassSetter(client, clock),
    stop: () => stop.abort(new Error('the check is over')),
  }
  return world
}

/** How the conformance suite drives the example, over the sandbox. */
export const exampleDriver: ConformanceDriver = {
  name: 'the example',
  createWorld,
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
