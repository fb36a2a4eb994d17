import {
  apiVersionOf,
  isConditionTrue,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  nodeClassLabel,
  type Pod,
  type PodDisruptionBudget,
  type ResourceKind,
} from '@kerf/apis'
import { schedule } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import { KwokProvider, loadInstanceTypes, SimulatedOutages } from '@kerf/provider-kwok'
import {
  type KubeClient,
  type Milliseconds,
  PrometheusMetrics,
  RecordingEventRecorder,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { nodeClassRef } from '@kerf/testing'
import { type ControllerSettings, defaultControllerSettings, type FeatureGates } from '../deps.ts'
import { Kerf } from '../kerf.ts'
import { claimObject, hashAnnotations } from '../node-claims/node-claim-object.ts'
import { conditionText, readIfThere, sumOfMetric } from './world/api-readings.ts'
import { declaredCalls } from './world/declared-calls.ts'

export interface DisruptionWorldOptions {
  readonly seed?: number
  readonly settings?: Partial<ControllerSettings>
  readonly gates?: Partial<FeatureGates>
  readonly provider?: (kwok: KwokProvider) => CloudProvider
  /** `nodeRegistrationDelay` of the node class. */
  readonly registrationDelay?: string
  /** Sits between Kerf and the API; the world's own calls pass it by. */
  readonly interceptor?: Interceptor
  /** What Kerf says that it is a build of. */
  readonly version?: string
}

export interface NodeOptions {
  readonly pool?: string
  readonly type?: string
  readonly capacityType?: 'spot' | 'on-demand'
  readonly zone?: string
  readonly metadata?: Partial<NodeClaim['metadata']>
  readonly spec?: Partial<NodeClaim['spec']>
}

/** A node of Kerf's that runs: names to read it by. */
export interface Made {
  readonly claim: string
  readonly node: string
}

type PoolSpec = { readonly [K in keyof NodePool['spec']]?: NodePool['spec'][K] }

/**
 * A whole Kerf over the sandbox cluster with scheduler, kubelets and workload controllers, in virtual time, with nodes of
 * any make to disrupt. Events are recorded before they are de-duplicated.
 */
export class DisruptionWorld {
  readonly clock = new VirtualClock()
  readonly cluster: SandboxCluster
  readonly admin: KubeClient
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly outages = new SimulatedOutages()
  readonly #options: DisruptionWorldOptions
  readonly #catalogue: Awaited<ReturnType<typeof loadInstanceTypes>>
  readonly #random: SeededRandom
  #stop = new AbortController()
  #incarnation = 0
  #names = 0
  metrics = new PrometheusMetrics()
  kerf: Kerf

  private constructor(options: DisruptionWorldOptions, catalogue: Awaited<ReturnType<typeof loadInstanceTypes>>) {
    this.#options = options
    this.#catalogue = catalogue
    this.#random = new SeededRandom(options.seed ?? 1)
    this.cluster = new SandboxCluster({
      clock: this.clock,
      random: this.#random.fork('cluster'),
      events: false,
    })
    this.admin = this.cluster.client
    this.kerf = this.#make()
  }

  static async create(options: DisruptionWorldOptions = {}): Promise<DisruptionWorld> {
    const world = new DisruptionWorld(options, await loadInstanceTypes())
    const starting = world.cluster.start()
    await world.pass(1_000)
    await starting
    await installCustomResources(world.admin)
    const delay = options.registrationDelay
    await world.admin.create(karpenterKinds.KWOKNodeClass, {
      apiVersion: apiVersionOf(karpenterKinds.KWOKNodeClass),
      kind: 'KWOKNodeClass',
      metadata: { name: nodeClassRef.name },
      spec: delay === undefined ? {} : { nodeRegistrationDelay: delay },
    })
    world.#run()
    await world.pass(100)
    return world
  }

  #make(): Kerf {
    const { clock, events, log, metrics } = this
    const random = this.#random.fork(`process-${this.#incarnation}`)
    const { interceptor, version = '' } = this.#options
    const settings: ControllerSettings = {
      ...defaultControllerSettings,
      ...this.#options.settings,
      featureGates: { ...defaultControllerSettings.featureGates, ...this.#options.gates },
    }
    const client = declaredCalls(this.cluster.api.client(interceptor === undefined ? {} : { interceptor }), settings)
    const informers = new SharedInformers({ client, clock, random, logger: log })
    const context = { client, informers, clock, random, events, log }
    const kwok = new KwokProvider(context, {
      instanceTypes: this.#catalogue,
      outages: this.outages,
      settings: { simulateKubelet: false },
    })
    const provider = this.#options.provider?.(kwok) ?? kwok
    return new Kerf({ ...context, provider, metrics, settings }, { schedule, version })
  }

  #run(): void {
    const { signal } = this.#stop
    void this.kerf.run({ stop: signal, abandon: signal })
  }

  /** Ends this process at once and starts another that remembers nothing. */
  restart(): void {
    this.#stop.abort(new Error('killed'))
    this.#stop = new AbortController()
    this.#incarnation++
    this.metrics = new PrometheusMetrics()
    this.kerf = this.#make()
    this.#run()
  }

  stop(): void {
    this.#stop.abort(new Error('the test is over'))
    void this.cluster.stop()
  }

  async pass(span: Milliseconds): Promise<void> {
    await this.clock.advance(span)
  }

  /** A pool whose budgets allow everything, to be varied. */
  async pool(name = 'general', spec: PoolSpec = {}, template: Partial<NodePool['spec']['template']> = {}) {
    const pool = await this.admin.create(karpenterKinds.NodePool, {
      apiVersion: apiVersionOf(karpenterKinds.NodePool),
      kind: 'NodePool',
      metadata: { name },
      spec: {
        ...spec,
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...spec.disruption },
        template: {
          ...template,
          spec: {
            nodeClassRef,
            expireAfter: 'Never',
            requirements: [
              { key: labels.os, operator: 'In', values: ['linux'] },
              { key: labels.arch, operator: 'In', values: ['amd64'] },
            ],
            ...template.spec,
          },
        },
      },
    })
    await this.pass(200)
    return pool
  }

  async patchPool(name: string, body: object): Promise<void> {
    await this.admin.patch(karpenterKinds.NodePool, { name }, { type: 'merge', body })
  }

  /** Nodes of Kerf's, initialised. The pools do not disrupt them meanwhile. */
  async nodes(count: number, traits: NodeOptions = {}): Promise<readonly Made[]> {
    const claims: string[] = []
    for (let index = 0; index < count; index++) claims.push(await this.claim(traits))
    const isThere = async (): Promise<boolean> => {
      const all = await this.claims()
      return claims.every((name) =>
        all.some((claim) => claim.metadata.name === name && isConditionTrue(claim, 'Initialized')),
      )
    }
    for (let look = 0; !(await isThere()); look++) {
      if (look > 240) throw new Error(`not all of ${claims.join(', ')} initialise`)
      await this.pass(500)
    }
    const all = await this.claims()
    return claims.map((name) => ({
      claim: name,
      node: all.find(({ metadata }) => metadata.name === name)?.status?.nodeName ?? '',
    }))
  }

  async node(traits: NodeOptions = {}): Promise<Made> {
    const [made] = await this.nodes(1, traits)
    if (made === undefined) throw new Error('no node')
    return made
  }

  /** A claim as Kerf would make it; answers its name. */
  async claim(traits: NodeOptions = {}): Promise<string> {
    const pool = await this.admin.get(karpenterKinds.NodePool, { name: traits.pool ?? 'general' })
    const name = `n${this.#names++}`
    const { taints, startupTaints, nodeClassRef: ref, terminationGracePeriod, expireAfter } = pool.spec.template.spec
    const claim = claimObject(
      pool,
      name,
      {
        ...traits.metadata,
        labels: {
          ...pool.spec.template.metadata?.labels,
          [labels.nodePool]: pool.metadata.name,
          [nodeClassLabel(ref)]: ref.name,
          ...traits.metadata?.labels,
        },
        annotations: { ...hashAnnotations(pool), ...traits.metadata?.annotations },
      },
      {
        nodeClassRef: ref,
        requirements: [
          { key: labels.instanceType, operator: 'In', values: [traits.type ?? 'c-4x-amd64-linux'] },
          { key: labels.capacityType, operator: 'In', values: [traits.capacityType ?? 'on-demand'] },
          { key: labels.zone, operator: 'In', values: [traits.zone ?? 'test-zone-a'] },
        ],
        resources: { requests: { cpu: '1' } },
        ...(taints === undefined ? {} : { taints }),
        ...(startupTaints === undefined ? {} : { startupTaints }),
        ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
        ...(expireAfter === undefined ? {} : { expireAfter }),
        ...traits.spec,
      },
    )
    await this.admin.create(karpenterKinds.NodeClaim, claim)
    return name
  }

  /** A pod on the node that nobody brings back. */
  async pod(name: string, node: string, traits: PodTraits = {}): Promise<Pod> {
    return await this.admin.create(kinds.Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', ...traits.metadata },
      spec: {
        containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: traits.cpu ?? '1' } } }],
        terminationGracePeriodSeconds: 1,
        ...traits.spec,
        nodeName: node,
      },
    })
  }

  async deployment(name: string, replicas: number, cpu: string, spec: Partial<Pod['spec']> = {}): Promise<void> {
    await this.admin.create(kinds.Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'default' },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [{ name: 'main', image: 'main', resources: { requests: { cpu } } }],
            ...spec,
          },
        },
      },
    })
  }

  /** A DaemonSet with a pod on this one node. */
  async daemon(name: string, { claim }: Made, metadata: Partial<Pod['metadata']> = {}): Promise<void> {
    await this.admin.create(kinds.DaemonSet, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, namespace: 'default' },
      spec: {
        selector: { matchLabels: { daemon: name } },
        template: {
          metadata: { ...metadata, labels: { daemon: name, ...metadata.labels } },
          spec: {
            nodeSelector: { [labels.hostname]: claim },
            containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: '100m' } } }],
          },
        },
      },
    })
    await this.pass(2_000)
  }

  async scale(name: string, replicas: number): Promise<void> {
    const body = { spec: { replicas } }
    await this.admin.patch(kinds.Deployment, { name, namespace: 'default' }, { type: 'merge', body })
  }

  async pdb(name: string, spec: PodDisruptionBudget['spec']): Promise<void> {
    await this.admin.create(kinds.PodDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: 'default' },
      spec,
    })
  }

  async patch<T extends KubeObject>(kind: ResourceKind<T>, name: string, body: object, subresource?: string) {
    return await this.admin.patch(
      kind,
      kind.namespaced ? { name, namespace: 'default' } : { name },
      { type: 'merge', body },
      subresource === undefined ? {} : { subresource },
    )
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.admin.list(karpenterKinds.NodeClaim)).items
  }

  /** Names of the claims that are neither gone nor going. */
  async staying(): Promise<readonly string[]> {
    const stay = (await this.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    return stay.map(({ metadata }) => metadata.name).sort()
  }

  async isStaying({ claim }: Made): Promise<boolean> {
    return (await this.staying()).includes(claim)
  }

  async readClaim(name: string): Promise<NodeClaim | undefined> {
    return await readIfThere(this.admin, karpenterKinds.NodeClaim, { name })
  }

  /** `status reason` of a condition of the claim. */
  async condition(type: string, name: string): Promise<string | undefined> {
    return conditionText(await this.readClaim(name), type)
  }

  async readNode(name: string): Promise<Node> {
    return await this.admin.get(kinds.Node, { name })
  }

  /** Messages of the events with this reason, each once, about an object of this name if given. */
  messages(reason: string, about?: string): readonly string[] {
    const found = this.events.events.filter(
      (event) => event.reason === reason && (about === undefined || event.object.metadata.name === about),
    )
    return [...new Set(found.map(({ message }) => message))]
  }

  /** The sum of a metric's series that have these labels. */
  async metric(name: string, wanted: Readonly<Record<string, string>> = {}): Promise<number> {
    return await sumOfMetric(this.metrics, name, wanted)
  }
}

export interface PodTraits {
  readonly cpu?: string
  readonly metadata?: Partial<Pod['metadata']>
  readonly spec?: Partial<Pod['spec']>
}
