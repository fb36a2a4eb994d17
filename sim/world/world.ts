import {
  apiVersionOf,
  crdManifests,
  type KubeObject,
  karpenterKinds,
  kinds,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { claimUidOf, MachineProvider, offeringsOf } from '@kerf/cli'
import { type ControllerSettings, defaultControllerSettings } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import { KwokProvider, SimulatedOutages } from '@kerf/provider-kwok'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { type ApiCall, type CloudCall, CloudError, SandboxApi, SandboxCluster, SimulatedCloud } from '@kerf/sandbox'
import type { Course, Trouble } from '../course/course.ts'
import { priorityClasses } from '../course/workloads.ts'
import { CallTroubles, type Struck } from './call-troubles.ts'
import { Process, type Surroundings } from './process.ts'

const DOWNTIME = 2_000
const METRICS_EVERY = 8
/** How deep plans are searched is not what is tried here: a fraction of what a small batch gets otherwise. */
const PLAN_BUDGET = 4
const podTemplates: ResourceKind = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
}
const TERMINATING = 'karpenter.kwok.sh/terminating-since'
const KWOK_CLAIM_UID = 'karpenter.kwok.sh/nodeclaim-uid'

/** A machine that costs money, as the cloud itself knows it. */
export interface LiveInstance {
  readonly providerID: string
  readonly claimUid: string
}

/** What invariants hear besides what they read. */
export interface Listener {
  acts?(call: ApiCall): void
  acted?(call: ApiCall): void
  cloudCall?(call: CloudCall): void
}

/** A cluster, a cloud and however many Kerfs are alive, in virtual time. */
export class World implements Surroundings {
  readonly clock = new VirtualClock()
  readonly api: SandboxApi
  readonly admin: KubeClient
  readonly cluster: SandboxCluster
  readonly course: Course
  readonly calls = new CallTroubles()
  readonly listeners: Listener[] = []
  /** Whether two Kerfs have acted at once, or a clock was wrong: promises about numbers then do not hold. */
  hadTwo = false
  wasSkewed = false
  restarts = 0
  /** Processes that ought to run; one of them leads. */
  readonly replicas = new Set<Process>()
  /** Processes that ought not to be there. */
  readonly second = new Set<Process>()
  readonly outages = new SimulatedOutages()
  readonly cloud: SimulatedCloud | undefined
  random: SeededRandom
  readonly catalogue: readonly InstanceType[]
  readonly #end = new AbortController()
  readonly #cloudTroubles: { readonly trouble: Extract<Trouble, { kind: 'cloud' }>; skip: number; times: number }[] = []
  readonly #root: SeededRandom
  #processes = 0
  #leaving = 0
  neverRegister = 0

  private constructor(course: Course, catalogue: readonly InstanceType[]) {
    this.course = course
    this.catalogue = catalogue
    this.#root = new SeededRandom(`world-${course.seed}`)
    this.random = this.#root.fork('process-0')
    const { clock } = this
    this.api = new SandboxApi({ clock, random: this.#root.fork('api') })
    this.admin = this.api.client()
    this.cloud = course.cloud === 'machines' ? this.#newCloud() : undefined
    this.cluster = new SandboxCluster({
      api: this.api,
      clock,
      random: this.#root.fork('cluster'),
      events: false,
      ...(this.cloud === undefined ? {} : { cloud: this.cloud }),
    })
    while (this.replicas.size < course.replicas) this.replicas.add(this.#start())
  }

  static async create(course: Course, catalogue: readonly InstanceType[]): Promise<World> {
    const world = new World(course, catalogue)
    const { admin } = world
    for (const { manifest } of crdManifests()) {
      // A manifest is the object itself, under a looser type.
      await admin.create(
        kinds.CustomResourceDefinition,
        manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> },
      )
    }
    const metadata = { name: 'default' }
    await admin.create(karpenterKinds.KWOKNodeClass, {
      apiVersion: 'karpenter.kwok.sh/v1alpha1',
      kind: 'KWOKNodeClass',
      metadata,
      spec: {},
    })
    for (const each of priorityClasses) await admin.create(kinds.PriorityClass, each as never)
    for (const each of course.objects) await admin.create(world.kindOf(each), each)
    for (const pool of course.pools) await admin.create(karpenterKinds.NodePool, pool)
    void world.cluster.start(world.#end.signal)
    for (const process of world.replicas) world.#run(process)
    return world
  }

  /** How the object's kind is addressed. */
  kindOf({ apiVersion, kind }: KubeObject): ResourceKind {
    const found = [...Object.values(kinds), ...Object.values(karpenterKinds), podTemplates].find(
      (each) => each.kind === kind && apiVersionOf(each) === apiVersion,
    )
    if (found === undefined) throw new Error(`no kind ${kind} of ${apiVersion}`)
    return found
  }

  /** The process that acts, or one that would. */
  get leader(): Process {
    const all = [...this.replicas]
    const leader = all.find(({ leads }) => leads) ?? all.find(({ isDead }) => !isDead) ?? all[0]
    if (leader === undefined) throw new Error('there is always a replica')
    return leader
  }

  get settings(): ControllerSettings {
    return {
      ...defaultControllerSettings,
      planBudget: PLAN_BUDGET,
      disableClusterStateObservability: true,
      featureGates: {
        ...defaultControllerSettings.featureGates,
        StaticCapacity: true,
        NodeOverlay: true,
        CapacityBuffer: true,
        SpotToSpotConsolidation: this.course.seed % 2 === 0,
      },
    }
  }

  get keepsMetrics(): boolean {
    return this.course.seed % METRICS_EVERY === 0
  }

  get isArguing(): boolean {
    return this.wasSkewed && (this.second.size > 0 || this.#leaving > 0)
  }

  stop(): void {
    for (const process of [...this.replicas, ...this.second]) process.end()
    this.#end.abort(new Error('the simulation is over'))
  }

  /** What the API server holds, without a client in between. */
  list<T extends KubeObject>(kind: ResourceKind<T>): readonly T[] {
    return this.api.list(kind, {}).items as readonly T[]
  }

  pods(): readonly Pod[] {
    return this.list(kinds.Pod)
  }

  nodes(): readonly Node[] {
    return this.list(kinds.Node)
  }

  claims(): readonly NodeClaim[] {
    return this.list(karpenterKinds.NodeClaim)
  }

  nodePools(): readonly NodePool[] {
    return this.list(karpenterKinds.NodePool)
  }

  /** Machines that cost money, also while they end; of the kwok cloud those that run. */
  machines(): readonly LiveInstance[] {
    return (
      this.cloud
        ?.instances()
        .map((instance) => ({ providerID: instance.providerID, claimUid: claimUidOf(instance) ?? '' })) ??
      this.instances()
    )
  }

  /** Instances that run or are about to, and that nobody has asked to end. */
  instances(): readonly LiveInstance[] {
    if (this.cloud !== undefined) {
      return this.cloud
        .instances()
        .filter(({ state }) => state === 'pending' || state === 'running')
        .map((instance) => ({ providerID: instance.providerID, claimUid: claimUidOf(instance) ?? '' }))
    }
    return this.nodes()
      .filter(
        ({ metadata }) =>
          metadata.annotations?.[KWOK_CLAIM_UID] !== undefined && metadata.annotations[TERMINATING] === undefined,
      )
      .map(({ spec, metadata }) => ({
        providerID: spec.providerID ?? '',
        claimUid: metadata.annotations?.[KWOK_CLAIM_UID] ?? '',
      }))
  }

  provider(context: ProviderContext): CloudProvider {
    const kwok = new KwokProvider(context, {
      catalogue: this.catalogue,
      outages: this.outages,
      settings: { heartbeatInterval: 0, simulateKubelet: false },
    })
    if (this.cloud === undefined) return kwok
    return new MachineProvider(context, {
      cloud: this.cloud,
      catalogue: this.catalogue,
      wellKnownLabels: kwok.wellKnownLabels,
    })
  }

  strike(call: ApiCall, when: 'before' | 'after'): Struck | undefined {
    return this.calls.strike(call, when)
  }

  acts(call: ApiCall): void {
    for (const listener of this.listeners) listener.acts?.(call)
  }

  acted(call: ApiCall): void {
    for (const listener of this.listeners) listener.acted?.(call)
  }

  crashed(process: Process): void {
    if (this.second.delete(process)) return
    this.clock.timer(DOWNTIME, () => this.#replace(process))
  }

  /**
   * The leader stops in good order, and another takes its place. Without a Lease the next begins when the other's work may
   * still be going on.
   */
  handOver(): void {
    const former = this.leader
    former.stop()
    if (this.course.replicas > 1) return
    this.hadTwo = true
    this.#leaving++
    this.clock.timer(DOWNTIME, () => {
      this.#replace(former)
      this.clock.timer(30_000, () => {
        this.#leaving--
        former.end()
      })
    })
  }

  startSecond(span: number): void {
    this.hadTwo = true
    const process = this.#start()
    this.second.add(process)
    process.run()
    this.clock.timer(span, () => {
      this.second.delete(process)
      process.end()
    })
  }

  orderCloud(trouble: Extract<Trouble, { kind: 'cloud' }>): void {
    this.#cloudTroubles.push({ trouble, skip: trouble.skip, times: trouble.times })
  }

  clearTroubles(): void {
    this.calls.clear()
    this.#cloudTroubles.length = 0
    this.neverRegister = 0
  }

  #run(process: Process): void {
    if (this.course.replicas === 1) {
      process.run()
      return
    }
    void process.runElected().then(() => {
      if (process.isDead) return
      process.end()
      this.crashed(process)
    })
  }

  #replace(former: Process): void {
    if (!this.replicas.delete(former)) return
    this.restarts++
    const process = this.#start()
    this.replicas.add(process)
    this.#run(process)
  }

  #start(): Process {
    this.random = this.#root.fork(`process-${this.#processes++}`)
    return new Process(this)
  }

  #newCloud(): SimulatedCloud {
    const cloud = new SimulatedCloud({
      clock: this.clock,
      random: this.#root.fork('cloud'),
      offerings: offeringsOf(this.catalogue),
      fateOf: () => {
        if (this.neverRegister === 0) return {}
        this.neverRegister--
        return { registrationDelay: 'never' }
      },
    })
    cloud.faults.follow((call) => {
      for (const listener of this.listeners) listener.cloudCall?.(call)
      return this.#strikeCloud(call)
    })
    return cloud
  }

  #strikeCloud(call: CloudCall): { before?: Error; after?: Error } | undefined {
    for (const each of this.#cloudTroubles) {
      const { trouble } = each
      if (trouble.verb !== call.verb || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      // A process that dies in the middle of a call: the call happens or not, and nobody hears of it.
      if (trouble.strike === 'crash') {
        const process = this.leader
        process.end()
        this.crashed(process)
      }
      const error = new CloudError(trouble.strike === 'throttled' ? 'Throttled' : 'Internal', 'simulated')
      return trouble.when === 'before' ? { before: error } : { after: error }
    }
    return undefined
  }
}
