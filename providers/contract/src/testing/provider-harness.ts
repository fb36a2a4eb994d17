import {
  type CustomResource,
  groupVersion,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NewObject,
  type NodeClaim,
  type NodePool,
} from '@kerf/apis'
import {
  ControllerManager,
  type KubeClient,
  type Permission,
  type PermissionCondition,
  PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly, installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { nodePool } from '@kerf/testing'
import type { CloudProvider, ProviderContext } from '../cloud-provider.ts'
import type { ClaimRequest } from './conformance-driver.ts'

type NodeClassRef = NodePool['spec']['template']['spec']['nodeClassRef']

export interface ProviderHarnessOptions<P> {
  readonly seed: number
  readonly clock?: VirtualClock
  /** The provider's permissions. A call that they do not allow fails the test. */
  readonly permissions: readonly Permission[]
  readonly permissionOptions?: readonly PermissionCondition[]
  /** Intercepts every call of the provider and its controllers to the cluster. */
  readonly interceptor?: Interceptor
  /** The node class kinds that the API server serves. */
  readonly nodeClasses: readonly CustomResource[]
  readonly classRef: NodeClassRef
  /** Creates the objects that the provider needs in the cluster, at least its node class. The custom resource definitions already exist. */
  readonly prepare: (client: KubeClient) => Promise<void>
  readonly newProvider: (context: ProviderContext) => P
  /** How long the controllers run before the harness is returned. Default 500 ms. */
  readonly startUp?: Milliseconds
}

/**
 * A provider and its controllers, with an API server and the workload controllers, in virtual time. Kerf's own controllers do not run.
 */
export interface ProviderHarness<P> {
  readonly clock: VirtualClock
  /** The test's own client, with all permissions and without interceptors. */
  readonly client: KubeClient
  readonly informers: SharedInformers
  readonly events: RecordingEventRecorder
  readonly log: RecordingLogger
  /** The provider whose controllers run. */
  readonly provider: P
  /** Returns another provider for the same cloud. Like after a restart, it has no state. */
  newProvider(): P
  /** Returns a NodePool that refers to the node class. The NodePool is not stored in the API server. */
  pool(): NodePool
  /** Returns the same NodePool with a reference to a kind that the provider does not serve. */
  foreignPool(): NodePool
  /** Creates a NodeClaim in the API. */
  claim(name: string, request?: ClaimRequest): Promise<NodeClaim>
  stop(): void
}

export const defaultPool = (nodeClassRef: NodeClassRef): NodePool =>
  nodePool('default', { templateSpec: { nodeClassRef }, metadata: { uid: 'pool' } })

const claimOf = (nodeClassRef: NodeClassRef, name: string, request: ClaimRequest): NewObject<NodeClaim> => {
  const { requirements = [], requests } = request
  return {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: { name, labels: { [labels.nodePool]: 'default' } },
    spec: { nodeClassRef, requirements, ...(requests === undefined ? {} : { resources: { requests } }) },
  }
}

/** Creates a harness and waits until everything has started. */
export const createProviderHarness = async <P extends CloudProvider>(
  options: ProviderHarnessOptions<P>,
): Promise<ProviderHarness<P>> => {
  const { clock = new VirtualClock(), classRef, interceptor } = options
  const random = new SeededRandom(options.seed)
  const cluster = new SandboxCluster({
    ...{ clock, random: random.fork('cluster') },
    ...{ kubelet: false, scheduler: false, events: false },
  })
  const { client } = cluster
  await installCustomResources(client, options.nodeClasses)
  await options.prepare(client)
  const own = declaredOnly(
    cluster.api.client(interceptor === undefined ? {} : { interceptor }),
    options.permissions,
    options.permissionOptions,
  )
  const [events, log] = [new RecordingEventRecorder(), new RecordingLogger()]
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const newProvider = (): P =>
    options.newProvider({ client: own, informers, clock, random: random.fork('provider'), events, log })
  const provider = newProvider()
  const manager = new ControllerManager({ clock, random, logger: log, metrics: new PrometheusMetrics() })
  manager.add(...(provider.controllers?.() ?? []))
  const stop = new AbortController()
  void cluster.start(stop.signal)
  informers.start(stop.signal)
  void manager.run({ stop: stop.signal, abandon: stop.signal })
  await clock.advance(options.startUp ?? 500)
  return {
    ...{ clock, client, informers, events, log, provider, newProvider },
    pool: () => defaultPool(classRef),
    foreignPool: () => defaultPool({ group: 'other.sh', kind: 'OtherNodeClass', name: 'x' }),
    claim: (name, request = {}) => client.create(karpenterKinds.NodeClaim, claimOf(classRef, name, request)),
    stop: () => stop.abort(new Error('the test is over')),
  }
}
