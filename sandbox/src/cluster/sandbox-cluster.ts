import { kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import {
  ApiEventRecorder,
  type Clock,
  ControllerManager,
  type EventRecorder,
  type KubeClient,
  type Logger,
  type Metrics,
  PrometheusMetrics,
  type Random,
  SharedInformers,
  silentLogger,
  sleep,
  VirtualClock,
  withoutManagedFields,
} from '@kerf/runtime'
import type { Interceptor } from '../api/interceptor.ts'
import { SandboxApi } from '../api/sandbox-api.ts'
import { CloudNodes } from '../cloud/cloud-nodes.ts'
import type { SimulatedCloud } from '../cloud/simulated-cloud.ts'
import { DEFAULT_KUBELET_OPTIONS, type KubeletOptions } from '../kubelet/kubelet-options.ts'
import { NodeKubelet } from '../kubelet/node-kubelet.ts'
import { PodKubelet } from '../kubelet/pod-kubelet.ts'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { builtInControllers } from '../workloads/controllers.ts'
import { GarbageCollector } from '../workloads/garbage-collector/garbage-collector.ts'
import { Activity } from './activity.ts'
import { EventExpiry } from './event-expiry.ts'

export interface SandboxClusterOptions {
  readonly clock: Clock
  readonly random: Random
  /** The API to run on. Default: a new, empty one. */
  readonly api?: SandboxApi
  readonly logger?: Logger
  readonly metrics?: Metrics
  /** How the simulated kubelets behave; `false` for none. */
  readonly kubelet?: Partial<KubeletOptions> | false
  /** Whether pods are scheduled. Default true. */
  readonly scheduler?: boolean
  /** Whether the controllers write Events. Default true. */
  readonly events?: boolean
  /** From the choice of a node to a volume made there. Default 1 s. */
  readonly volumeProvisionDelay?: Milliseconds
  /** Default 1 s. */
  readonly volumeAttachDelay?: Milliseconds
  /** Machines whose kubelets register as Nodes of this cluster. */
  readonly cloud?: SimulatedCloud
  /** Faults between the cluster's own controllers and the API. Kerf gets a client of its own. */
  readonly interceptor?: Interceptor
}

/** How long nothing may change before the cluster counts as settled. */
const QUIET_PERIOD: Milliseconds = 5_000
const NO_EVENTS: EventRecorder = { publish: () => {} }

/**
 * A whole cluster in this process: API, scheduler, controllers and kubelets, under whatever clock it is given. Under a
 * `VirtualClock` it takes the same course every time for the same random seed.
 */
export class SandboxCluster {
  readonly api: SandboxApi
  /** An administrator's client. */
  readonly client: KubeClient
  readonly clock: Clock
  /** Mirrors of the cluster's own; others should have theirs. */
  readonly informers: SharedInformers
  /** Node health by hand; absent without kubelets. */
  readonly kubelet: NodeKubelet | undefined
  readonly scheduler: Scheduler | undefined
  readonly cloud: SimulatedCloud | undefined
  readonly activity: Activity
  readonly #context: ClusterContext
  readonly #manager: ControllerManager
  readonly #garbage: GarbageCollector
  readonly #recorder: ApiEventRecorder | undefined
  readonly #logger: Logger
  #stop: AbortController | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: SandboxClusterOptions) {
    const { clock, random } = options
    this.clock = clock
    this.api = options.api ?? new SandboxApi({ clock, random })
    this.client = this.api.client()
    const client = this.api.client(options.interceptor === undefined ? {} : { interceptor: options.interceptor })
    const logger = options.logger ?? silentLogger
    this.#logger = logger
    this.informers = new SharedInformers({ client, clock, random, logger })
    // The store's objects are shared, so keeping them whole costs nothing; the controllers read annotations and status.
    this.informers.configure(kinds.Pod, { project: withoutManagedFields })
    this.informers.configure(kinds.Node, { project: withoutManagedFields })
    this.#recorder =
      options.events === false
        ? undefined
        : new ApiEventRecorder({ client, clock, random, logger, component: 'kerf-sandbox' })
    const context: ClusterContext = {
      client,
      informers: this.informers,
      clock,
      random,
      events: this.#recorder ?? NO_EVENTS,
      logger,
    }
    this.#context = context
    const metrics = options.metrics ?? new PrometheusMetrics()
    this.#manager = new ControllerManager({ clock, random, logger, metrics })
    if (options.kubelet !== false) {
      const kubelet = { ...DEFAULT_KUBELET_OPTIONS, ...options.kubelet }
      this.kubelet = new NodeKubelet(context, kubelet)
      this.#manager.add(this.kubelet, new PodKubelet(context, kubelet, this.kubelet))
    }
    if (options.scheduler !== false) {
      this.scheduler = new Scheduler(context)
      this.#manager.add(this.scheduler)
    }
    this.cloud = options.cloud
    if (options.cloud !== undefined) this.#manager.add(new CloudNodes(context, options.cloud, this.kubelet))
    const builtIn = builtInControllers(context, {
      volumeProvisionDelay: options.volumeProvisionDelay ?? 1000,
      volumeAttachDelay: options.volumeAttachDelay ?? 1000,
      namespacedKinds: () => this.#collectable().filter((kind) => kind.namespaced),
    })
    this.#manager.add(...builtIn)
    this.#garbage = new GarbageCollector(
      context,
      this.#collectable().filter((kind) => kind.kind !== 'Event'),
    )
    this.#manager.add(this.#garbage)
    if (options.events !== false) this.#manager.add(new EventExpiry(context))
    this.activity = new Activity(context, this.kubelet)
    this.informers.of(kinds.CustomResourceDefinition).onChange(({ before, after }) => {
      if (after === undefined || before?.metadata.generation === after.metadata.generation) return
      this.#watchCustomKinds()
    })
  }

  /** Starts the controllers; resolves when they have seen what there is. Aborting the signal is `stop`. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#stop !== undefined) throw new Error('the sandbox cluster runs already')
    this.#stop = new AbortController()
    const stop = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal])
    this.informers.start(stop)
    this.#running = this.#manager.run({ stop })
    await this.#driving(this.informers.allSynced(stop))
  }

  /** Stops everything; resolves when nothing of it runs any more. The API stays readable. */
  async stop(): Promise<void> {
    this.#stop?.abort()
    const ended = this.#running.then(() => this.informers.stopped()).then(() => this.#recorder?.close())
    await this.#driving(ended)
  }

  /**
   * Waits for something that may itself wait for time: a virtual clock stands still while its driver awaits us, so it is
   * moved on as long as it takes. Nothing moves when no time is needed.
   */
  async #driving(work: Promise<void>): Promise<void> {
    const { clock } = this
    if (!(clock instanceof VirtualClock)) return await work
    let over = false
    const finished = work.finally(() => {
      over = true
    })
    // A failure is reported by the last line; until then it must not count as unhandled.
    finished.catch(() => {})
    // It refuses when somebody else is driving it; then the time passes anyway.
    for (await clock.settle(2); !over; ) await clock.advance(100).catch(() => clock.settle())
    await finished
  }

  /** Whether the cluster has come to rest. Pods that no node can take do not disturb it. */
  get settled(): boolean {
    return !this.#manager.busy && !this.#instancesMove() && this.activity.hasRestedFor(QUIET_PERIOD)
  }

  /**
   * Waits until the cluster rests, under a virtual clock by driving it. Returns false when `limit` (a duration, one hour by
   * default) has passed first.
   */
  async settle(limit: Milliseconds = 3_600_000): Promise<boolean> {
    const stopped = this.#stop?.signal
    const { clock } = this
    if (clock instanceof VirtualClock) {
      // Asked after each timer: this one makes sure that the question is asked while nothing else happens.
      let ticker = clock.timer(0, function tick() {
        ticker = clock.timer(1000, tick)
      })
      try {
        return await clock.runUntil(() => this.settled, limit)
      } finally {
        ticker.cancel()
      }
    }
    for (const end = clock.monotonic() + limit; clock.monotonic() < end; ) {
      if (this.settled) return true
      await sleep(clock, 200, stopped)
    }
    return this.settled
  }

  /** Whether an instance is starting or terminating and will get there. */
  #instancesMove(): boolean {
    return this.cloud?.instances().some(({ id }) => this.cloud?.isMoving(id) ?? false) ?? false
  }

  /** The kinds that can be listed, watched and deleted now, each in one of its versions. */
  #collectable(): ResourceKind[] {
    const chosen = new Map<string, ResourceKind>()
    for (const { group, version, kind, plural, namespaced, verbs } of this.api.state.registry.all()) {
      const name = `${group}/${kind}`
      const usable = ['get', 'list', 'watch', 'delete', 'patch'].every((verb) => verbs.includes(verb))
      if (!usable || chosen.has(name) || name === 'events.k8s.io/Event') continue
      chosen.set(name, { group, version, kind, plural, namespaced })
    }
    return [...chosen.values()]
  }

  #watchCustomKinds(): void {
    for (const kind of this.#collectable()) if (kind.kind !== 'Event') this.#garbage.watch(kind)
    this.#logger.debug('garbage collector watches', { kinds: this.#collectable().length })
  }

  /** What the cluster's own controllers stand on, for further controllers beside them. */
  get context(): ClusterContext {
    return this.#context
  }
}
