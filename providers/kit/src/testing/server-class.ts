import {
  apiVersionOf,
  type Condition,
  crdManifests,
  type KubeObject,
  karpenterKinds,
  kinds,
  type NewObject,
  type NodeClaim,
} from '@kerf/apis'
import { type CustomResource, conditions, listOf, object, optional, text } from '@kerf/apis/schema'
import type { ProviderContext } from '@kerf/provider-contract'
import {
  type Controller,
  ControllerManager,
  PrometheusMetrics,
  RecordingEventRecorder,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { nodeClaim } from '@kerf/testing'

/** A node class of a cloud that does not exist, for the tests of the kit. */
export interface ServerClass extends KubeObject {
  readonly spec: { readonly image: string }
  readonly status?: {
    readonly image?: string
    readonly zones?: readonly string[]
    readonly conditions?: readonly Condition[]
  }
}

const description = 'for tests'

const resource: CustomResource<ServerClass> = {
  kind: {
    group: 'cloud.example',
    version: 'v1',
    kind: 'ServerClass',
    plural: 'serverclasses',
    namespaced: false,
  },
  singular: 'serverclass',
  shortNames: [],
  categories: [],
  description,
  printerColumns: [],
  spec: object({ image: text({ description }) }, { description }),
  specRequired: true,
  status: object(
    {
      image: optional(text({ description })),
      zones: optional(listOf(text({ description }), { description, listType: 'set' })),
      conditions: optional(conditions()),
    },
    { description },
  ),
}

export const serverClassKind = resource.kind

/** The ServerClass `default`. */
export const serverClass = (metadata: Partial<ServerClass['metadata']> = {}): NewObject<ServerClass> => ({
  apiVersion: apiVersionOf(serverClassKind),
  kind: serverClassKind.kind,
  metadata: { name: 'default', ...metadata },
  spec: { image: 'linux-1' },
})

/** A NodeClaim of the ServerClass `default`. */
export const serverClaim = (name: string, annotations: Readonly<Record<string, string>> = {}): NodeClaim =>
  nodeClaim(name, {
    spec: { nodeClassRef: { group: serverClassKind.group, kind: serverClassKind.kind, name: 'default' } },
    metadata: { annotations },
  })

/** Controllers over an API server in virtual time, which knows Karpenter's kinds and the ServerClass. */
export const createKitWorld = async (
  controllersOf: (context: ProviderContext) => readonly Controller[],
  interceptor?: Interceptor,
) => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({
    ...{ clock, random: random.fork('cluster') },
    ...{ kubelet: false, scheduler: false, events: false },
  })
  const { client } = cluster
  await installCustomResources(client)
  for (const { manifest } of crdManifests({ resources: [resource] }))
    await client.create(kinds.CustomResourceDefinition, { ...manifest, spec: { ...manifest.spec } })
  const own = cluster.api.client(interceptor === undefined ? {} : { interceptor })
  const [events, log] = [new RecordingEventRecorder(), new RecordingLogger()]
  const informers = new SharedInformers({ client: own, clock, random, logger: log })
  const controllers = controllersOf({ client: own, informers, clock, random, events, log })
  const manager = new ControllerManager({ clock, random, logger: log, metrics: new PrometheusMetrics() })
  manager.add(...controllers)
  const stop = new AbortController()
  return {
    ...{ clock, client, events, log },
    /** From here on the controllers run. */
    start: async (): Promise<void> => {
      void cluster.start(stop.signal)
      informers.start(stop.signal)
      void manager.run({ stop: stop.signal, abandon: stop.signal })
      await clock.advance(500)
    },
    stop: () => stop.abort(new Error('the test is over')),
    serverClass: () => client.get(serverClassKind, { name: 'default' }),
    claim: (name: string) => client.get(karpenterKinds.NodeClaim, { name }),
  }
}
