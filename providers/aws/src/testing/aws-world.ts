import {
  type EC2NodeClass,
  type EC2NodeClassSpec,
  karpenterKinds,
  kinds,
  type NodeClaim,
  type NodePool,
} from '@kerf/apis'
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
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { ec2NodeClass, nodeClaim, nodePool } from '@kerf/testing'
import type { AwsOptions } from '../aws-parts.ts'
import { AwsProvider } from '../aws-provider.ts'
import { awsPermissions } from '../permissions.ts'
import { type AwsSettings, defaultAwsSettings } from '../settings/aws-settings.ts'
import { FakeAws, instantWindows } from './fake-aws/fake-aws.ts'

export const TERMINATION_DELAY = 4_000
export const CLASS = 'default'
export const classRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: CLASS } as const
/** The version that the sandbox serves. */
const KUBERNETES = '1.36'
const DISCOVERY = { 'karpenter.sh/discovery': 'demo' }
export const never = new AbortController().signal

/** A node class for which the fake cloud has everything. */
export const nodeClassSpec: EC2NodeClassSpec = {
  role: 'KarpenterNodeRole-demo',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ tags: DISCOVERY }],
  securityGroupSelectorTerms: [{ tags: DISCOVERY }],
}

export interface AwsWorldOptions {
  readonly seed?: number
  readonly spec?: Partial<EC2NodeClassSpec>
  readonly settings?: Partial<AwsSettings>
  /** Prepares the cloud before anything runs. */
  readonly before?: (aws: FakeAws) => void
  readonly reservedCapacity?: boolean
  readonly nodeOverlay?: boolean
  /** Sees every call that the provider and its controllers make to the cluster. */
  readonly interceptor?: Interceptor
}

/** The provider and its controllers over an API server and an AWS in memory, in virtual time. */
export interface AwsWorld {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly informers: SharedInformers
  readonly events: RecordingEventRecorder
  readonly log: RecordingLogger
  readonly metrics: PrometheusMetrics
  readonly aws: FakeAws
  /** Another provider over the same cloud, as after a restart. */
  newProvider(): AwsProvider
  /** The one whose controllers run. */
  readonly provider: AwsProvider
  nodeClass(): Promise<EC2NodeClass>
  /** Changes the class, and gives its controllers a second to react. */
  change(spec: Partial<EC2NodeClassSpec>): Promise<void>
  claim(
    name: string,
    request?: {
      readonly requirements?: NodeClaim['spec']['requirements']
      readonly requests?: Readonly<Record<string, string>>
    },
  ): Promise<NodeClaim>
  pool(): NodePool
  stop(): void
}

export const poolOf = (nodeClassRef: NodePool['spec']['template']['spec']['nodeClassRef']): NodePool =>
  nodePool('default', { templateSpec: { nodeClassRef }, metadata: { uid: 'pool' } })

/** Creates what a real cluster would have: the namespace and the DNS service of the system, and a node class. */
const prepareCluster = async (client: KubeClient, spec: Partial<EC2NodeClassSpec> = {}): Promise<void> => {
  await installCustomResources(client)
  await client
    .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
    .catch(() => undefined)
  await client.create(kinds.Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kube-dns', namespace: 'kube-system' },
    spec: { clusterIP: '10.100.0.10', ports: [{ port: 53 }] },
  })
  await client.create(karpenterKinds.EC2NodeClass, ec2NodeClass(CLASS, { spec: { ...nodeClassSpec, ...spec } }))
}

const claimOf = (name: string, request: Parameters<AwsWorld['claim']>[1] = {}): NodeClaim =>
  nodeClaim(name, {
    pool: 'default',
    spec: {
      nodeClassRef: classRef,
      requirements: request.requirements ?? [],
      ...(request.requests === undefined ? {} : { resources: { requests: request.requests } }),
    },
  })

const providerOptions = (
  options: AwsWorldOptions,
  { aws, metrics, clock }: Pick<AwsWorld, 'aws' | 'metrics' | 'clock'>,
): AwsOptions => ({
  api: aws,
  metrics,
  settings: { ...defaultAwsSettings('demo'), ...options.settings },
  region: 'us-east-1',
  caBundle: 'Q0E=',
  namespace: 'kube-system',
  reservedCapacity: options.reservedCapacity ?? true,
  nodeOverlay: options.nodeOverlay ?? false,
  minValuesPolicy: 'Strict',
  batchClock: instantWindows(clock),
})

/** Starts the provider's controllers; the returned function stops everything. */
const run = async (
  provider: AwsProvider,
  world: Pick<AwsWorld, 'clock' | 'informers' | 'log'> & {
    readonly cluster: SandboxCluster
    readonly random: SeededRandom
  },
): Promise<() => void> => {
  const { clock, informers, log, cluster, random } = world
  const manager = new ControllerManager({ clock, random, logger: log, metrics: new PrometheusMetrics() })
  manager.add(...provider.controllers())
  const stop = new AbortController()
  void cluster.start(stop.signal)
  informers.start(stop.signal)
  void manager.run({ stop: stop.signal, abandon: stop.signal })
  await clock.advance(2_000)
  return () => stop.abort(new Error('the test is over'))
}

/** A world in which everything has started and the node class is ready. */
export const createAwsWorld = async (options: AwsWorldOptions = {}): Promise<AwsWorld> => {
  // Batches need turns of the event loop of their own.
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom(options.seed ?? 1)
  const cluster = new SandboxCluster({
    clock,
    random: random.fork('cluster'),
    kubelet: false,
    scheduler: false,
    events: false,
  })
  const { client } = cluster
  const [events, log, metrics] = [new RecordingEventRecorder(), new RecordingLogger(), new PrometheusMetrics()]
  const aws = new FakeAws(clock, { terminationDelay: TERMINATION_DELAY, kubernetes: KUBERNETES })
  options.before?.(aws)
  await prepareCluster(client, options.spec)
  const { interceptor } = options
  const own = declaredOnly(
    cluster.api.client(interceptor === undefined ? {} : { interceptor }),
    awsPermissions,
    options.nodeOverlay === true ? ['NodeOverlay'] : [],
  )
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const newProvider = (): AwsProvider =>
    new AwsProvider(
      { client: own, informers, clock, random: random.fork('provider'), events, log },
      providerOptions(options, { aws, metrics, clock }),
    )
  const provider = newProvider()
  const shared = { clock, client, informers, events, log, metrics, aws, provider, newProvider }
  return {
    ...shared,
    stop: await run(provider, { clock, informers, log, cluster, random }),
    nodeClass: () => client.get(karpenterKinds.EC2NodeClass, { name: CLASS }),
    change: async (spec) => {
      await client.patch(karpenterKinds.EC2NodeClass, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
    pool: () => poolOf(classRef),
    claim: (name, request) => client.create(karpenterKinds.NodeClaim, claimOf(name, request)),
  }
}
