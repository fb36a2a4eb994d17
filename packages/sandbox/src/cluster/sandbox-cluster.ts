import { InvariantError, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
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
  type RandomByKind,
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
  /** The source of the random values of each resource kind. Default: `random` for all kinds. */
  readonly randomByKind?: RandomByKind
  /** The API of the cluster. Default: a new, empty one. */
  readonly api?: SandboxApi
  readonly logger?: Logger
  readonly metrics?: Metrics
  /** How the simulated kubelets behave. `false` disables them. */
  readonly kubelet?: Partial<KubeletOptions> | false
  /** Whether the cluster runs a scheduler. Default true. */
  readonly scheduler?: boolean
  /** Whether the controllers write Events. Default true. */
  readonly events?: boolean
  /** Time from the choice of a node until the volume is provisioned. Default 1 s. */
  readonly volumeProvisionDelay?: Milliseconds
  /** Time to attach a volume. Default 1 s. */
  readonly volumeAttachDelay?: Milliseconds
  /** A cloud. Its running instances register as Nodes of this cluster. */
  readonly cloud?: SimulatedCloud
  /** Injects faults into calls between the cluster's controllers and the API. Does not affect other clients, such as Kerf. */
  readonly interceptor?: Interceptor
}

/** How long the cluster must be unchanged before it counts as settled. */
const QUIET_PERIOD: Milliseconds = 5_000
const NO_EVENTS: EventRecorder = { publish: () => {} }

/**
 * A whole cluster in this process: API, scheduler, controllers and kubelets, all on the given clock. With a `VirtualClock`, runs with the
 * same random seed are identical.
 */
export class SandboxCluster {
  readonly api: SandboxApi
  /** A client with administrator permissions. */
  readonly client: KubeClient
  readonly clock: Clock
  /** The informers of the cluster's own controllers. Other programs must create their own informers. */
  readonly informers: SharedInformers
  /** Sets the health of nodes. Absent in a cluster without kubelets. */
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
    const { clock, random, randomByKind } = options
    const byKind = randomByKind === undefined ? {} : { randomByKind }
    this.clock = clock
    this.api = options.api ?? new SandboxApi({ clock, random, ...byKind })
    this.client = this.api.client()
    const client = this.api.client(options.interceptor === undefined ? {} : { interceptor: options.interceptor })
    const logger = options.logger ?? silentLogger
    this.#logger = logger
    this.informers = new SharedInformers({ client, clock, random, ...byKind, logger })
    // Informers share the store's objects, so whole objects cost no additional memory. The controllers read annotations and status,
    // so only managedFields are removed.
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

  /** Starts the controllers. Resolves when the controllers have seen all existing objects. If the signal is aborted, `stop` is called. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#stop !== undefined) throw new InvariantError('the sandbox cluster runs already')
    this.#stop = new AbortController()
    const stop = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal])
    this.informers.start(stop)
    this.#running = this.#manager.run({ stop })
    await this.#driving(this.informers.allSynced(stop))
  }

  /** Stops everything. Resolves when nothing runs any more. The API remains readable. */
  async stop(): Promise<void> {
    this.#stop?.abort()
    const ended = this.#running.then(() => this.informers.stopped()).then(() => this.#recorder?.close())
    await this.#driving(ended)
  }

  /**
   * Waits for work that may depend on timers. The code that normally advances a virtual clock may be waiting for this method, so this
   * method advances the clock until the work is done. It does not advance the clock if the work depends on no timer.
   */
  async #driving(work: Promise<void>): Promise<void> {
    const { clock } = this
    if (!(clock instanceof VirtualClock)) return await work
    let over = false
    const finished = work.finally(() => {
      over = true
    })
    // The `await` at the end of this function throws the error. Until then, the rejection must not count as unhandled.
    finished.catch(() => {})
    // `advance` rejects if other code is already advancing the clock. In this case, the clock advances anyway.
    for (await clock.settle(2); !over; ) await clock.advance(100).catch(() => clock.settle())
    await finished
  }

  /** Whether the cluster has settled. Unschedulable pods do not count as activity. */
  get settled(): boolean {
    return !this.#manager.busy && !this.#instancesMove() && this.activity.hasRestedFor(QUIET_PERIOD)
  }

  /**
   * Waits until the cluster has settled. Advances the clock if it is virtual. Returns false if the cluster has not settled after `limit`,
   * which is one hour by default.
   */
  async settle(limit: Milliseconds = 3_600_000): Promise<boolean> {
    const stopped = this.#stop?.signal
    const { clock } = this
    if (clock instanceof VirtualClock) {
      // `runUntil` checks its condition only after a timer fires. This timer makes it check while the cluster is idle, too.
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

  /** Returns whether any instance is starting or terminating and will reach the next state. */
  #instancesMove(): boolean {
    return this.cloud?.instances().some(({ id }) => this.cloud?.isMoving(id) ?? false) ?? false
  }

  /** Returns one served version of each resource kind that supports list, watch and delete. */
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

  /** The dependencies of the cluster's controllers, for use by additional controllers. */
  get context(): ClusterContext {
    return this.#context
  }
}
