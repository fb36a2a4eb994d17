import {
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { schedule } from '@kerf/engine'
import { KwokProvider, type KwokSettings, loadInstanceTypes, SimulatedOutages } from '@kerf/provider-kwok'
import {
  type ApiError,
  type KubeClient,
  PrometheusMetrics,
  RecordingEventRecorder,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { type ApiCall, SandboxApi, SandboxCluster } from '@kerf/sandbox'
import { nodeClassRef, type PodOptions, pod as podOf } from '@kerf/testing'
import { type ControllerSettings, defaultControllerSettings, type Scheduler } from '../deps.ts'
import { Kerf } from '../kerf.ts'
import { installLegacyKinds } from '../legacy/install-legacy-kinds.ts'
import { declaredCalls } from './declared-calls.ts'

export interface KerfWorldOptions {
  readonly seed?: number
  readonly settings?: Partial<ControllerSettings>
  readonly kwok?: Partial<KwokSettings>
  readonly schedule?: Scheduler
  /** Whether a scheduler, controllers and kubelets run beside Kerf. Without them tests bind pods themselves. */
  readonly cluster?: boolean
}

/** What happens to a call of Kerf: an error for an answer, before or after it took effect, or the end of the process. */
export type Fault = (call: ApiCall, when: 'before' | 'after') => ApiError | 'crash' | undefined

/**
 * A whole Kerf with the KWOK provider over a sandbox API, in virtual time. Without a cluster around it, tests say
 * themselves which pods found no node, and bind them.
 */
export class KerfWorld {
  readonly clock = new VirtualClock()
  readonly api: SandboxApi
  readonly admin: KubeClient
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly outages = new SimulatedOutages()
  /** Asked at every call of Kerf; the world's own calls pass it by. */
  fault: Fault | undefined
  /** How often the process ended and was started again. */
  restarts = 0
  readonly #options: KerfWorldOptions
  readonly #catalogue: Awaited<ReturnType<typeof loadInstanceTypes>>
  readonly #random: SeededRandom
  readonly #end = new AbortController()
  #stop = new AbortController()
  #process = { isDead: false }
  metrics = new PrometheusMetrics()
  kerf: Kerf

  private constructor(options: KerfWorldOptions, catalogue: Awaited<ReturnType<typeof loadInstanceTypes>>) {
    this.#options = options
    this.#catalogue = catalogue
    this.#random = new SeededRandom(options.seed ?? 1)
    this.api = new SandboxApi({ clock: this.clock, random: this.#random.fork('api') })
    this.admin = this.api.client()
    this.kerf = this.#make()
  }

  static async create(options: KerfWorldOptions = {}): Promise<KerfWorld> {
    const world = new KerfWorld(options, await loadInstanceTypes())
    await installCustomResources(world.admin)
    if (options.settings?.legacyApis === true) {
      const installing = installLegacyKinds({ ...world, client: world.admin }, world.#end.signal)
      await world.pass(1_000)
      await installing
    }
    await world.admin.create(karpenterKinds.KWOKNodeClass, {
      apiVersion: 'karpenter.kwok.sh/v1alpha1',
      kind: 'KWOKNodeClass',
      metadata: { name: nodeClassRef.name },
      spec: {},
    })
    if (options.cluster === true) {
      const { api, clock } = world
      const cluster = new SandboxCluster({ api, clock, random: world.#random.fork('cluster'), events: false })
      void cluster.start(world.#end.signal)
    }
    world.#run()
    await world.pass(100)
    return world
  }

  #make(): Kerf {
    const { clock, events, log, metrics } = this
    const random = this.#random.fork(`process-${this.restarts}`)
    const incarnation = { isDead: false }
    this.#process = incarnation
    const ask = (call: ApiCall, when: 'before' | 'after'): Promise<void> | void => {
      // Nobody hears the answers to a dead process, and nothing more comes from it.
      if (incarnation.isDead) return new Promise<void>(() => {})
      const fault = this.fault?.(call, when)
      if (fault === undefined) return
      if (fault !== 'crash') throw fault
      this.restart()
      return new Promise<void>(() => {})
    }
    const settings = { ...defaultControllerSettings, ...this.#options.settings }
    const client = declaredCalls(
      this.api.client({
        interceptor: { before: (call) => ask(call, 'before'), after: (call) => ask(call, 'after') },
      }),
      settings,
    )
    const informers = new SharedInformers({ client, clock, random, logger: log })
    const context = { client, informers, clock, random, events, log }
    const provider = new KwokProvider(context, {
      instanceTypes: this.#catalogue,
      outages: this.outages,
      settings: { heartbeatInterval: 0, simulateKubelet: this.#options.cluster !== true, ...this.#options.kwok },
    })
    return new Kerf({ ...context, provider, metrics, settings }, { schedule: this.#options.schedule ?? schedule })
  }

  #run(): void {
    const { signal } = this.#stop
    void this.kerf.run({ stop: signal, abandon: signal })
  }

  /** Ends this process at once and starts another that remembers nothing. */
  restart(): void {
    this.#process.isDead = true
    this.#stop.abort(new Error('killed'))
    this.#stop = new AbortController()
    this.restarts++
    this.metrics = new PrometheusMetrics()
    this.kerf = this.#make()
    this.#run()
  }

  async pass(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds)
  }

  async put<T extends KubeObject>(kind: ResourceKind<T>, object: NoInfer<T>): Promise<T> {
    const { resourceVersion: _, uid: __, creationTimestamp: ___, generation: ____, ...metadata } = object.metadata
    return await this.admin.create(kind, { ...object, metadata })
  }

  /** A pool of spot and on-demand Linux nodes, to be varied. */
  async pool(
    name = 'general',
    spec: { readonly [K in keyof NodePool['spec']]?: NodePool['spec'][K] } = {},
  ): Promise<NodePool> {
    const pool = await this.put(karpenterKinds.NodePool, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name },
      spec: {
        template: {
          spec: {
            nodeClassRef,
            expireAfter: 'Never',
            requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
          },
        },
        ...spec,
      },
    })
    await this.pass(100)
    return pool
  }

  /** A pool of one machine type, for tests that count nodes: which types are cheapest together is the engine's affair. */
  async poolOf(instanceType: string, name = 'general'): Promise<NodePool> {
    const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [instanceType] }]
    return await this.pool(name, { template: { spec: { nodeClassRef, expireAfter: 'Never', requirements } } })
  }

  /** Pods that kube-scheduler has found no node for. */
  async pods(count: number, traits: PodOptions = {}, prefix = 'pod'): Promise<readonly Pod[]> {
    const made: Pod[] = []
    for (let index = 0; index < count; index++) made.push(await this.pod(`${prefix}-${index}`, traits))
    return made
  }

  async pod(name: string, traits: PodOptions = {}): Promise<Pod> {
    const { status, ...pod } = podOf(name, traits)
    const created = await this.put(kinds.Pod, pod)
    return await this.admin.patch(
      kinds.Pod,
      { name, namespace: created.metadata.namespace ?? 'default' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
  }

  async bind(pod: Pod, nodeName: string): Promise<void> {
    const { name = '', namespace = 'default' } = pod.metadata
    await this.admin.bind({ name, namespace }, nodeName)
  }

  /** What the control plane's node controller does: nodes that are Ready lose the taint they began with. */
  async nodesBecomeReady(): Promise<void> {
    for (const { metadata, spec } of (await this.admin.list(kinds.Node)).items) {
      const taints = spec.taints?.filter(({ key }) => key !== 'node.kubernetes.io/not-ready') ?? []
      await this.admin.patch(kinds.Node, { name: metadata.name }, { type: 'merge', body: { spec: { taints } } })
    }
    await this.pass(1_000)
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.admin.list(karpenterKinds.NodeClaim)).items
  }

  async readPool(name = 'general'): Promise<NodePool> {
    return await this.admin.get(karpenterKinds.NodePool, { name })
  }

  /** Messages of the events with this reason. */
  messages(reason: string): readonly string[] {
    return this.events.events.filter((event) => event.reason === reason).map(({ message }) => message)
  }

  /** Ends the process and the world. */
  stop(): void {
    this.#stop.abort(new Error('the test is over'))
    this.#end.abort(new Error('the test is over'))
  }
}
