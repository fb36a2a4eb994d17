import {
  apiVersionOf,
  crdManifests,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { type ControllerSettings, defaultControllerSettings } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import { KwokProvider, SimulatedOutages } from '@kerf/provider-kwok'
import { offeringsOf, SimulatedProvider } from '@kerf/provider-simulated'
import { type Clock, type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import {
  type ApiCall,
  type CloudCall,
  CloudError,
  type NodeHealth,
  SandboxApi,
  SandboxCluster,
  SimulatedCloud,
} from '@kerf/sandbox'
import type { AwsTrouble, Course, Trouble } from '../course/course.ts'
import { priorityClasses } from '../course/workloads.ts'
import { AwsAccount } from './aws/aws-account.ts'
import { isAwsRead } from './aws/aws-calls.ts'
import { ec2NodeClass } from './aws/ec2-node-class.ts'
import { CallTroubles, type Struck } from './call-troubles.ts'
import type { EventHeed } from './lagging-client.ts'
import type { Listener } from './listener.ts'
import { kwokInstances, type LiveInstance, liveInstance, TERMINATING } from './live-instance.ts'
import { type Owner, Process, type RunningProvider, type Surroundings } from './process.ts'
import { Spans } from './spans.ts'
import { unforeseenIn } from './unforeseen.ts'

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
/** What was decided by a wrong clock is carried out: after a slow answer or two. */
const AFTER_A_SKEW = 60_000
/** What the one has begun shows to the other, also where a watch lags. */
const AFTER_TWO = 60_000

/** Made once: each is rendered as a file too, which takes a third of the time of a short course. */
let definitions: ReturnType<typeof crdManifests> | undefined

/** What meets single calls and events, beside the troubles of a course. */
export interface Interference {
  strike(call: ApiCall, when: 'before' | 'after'): Struck | undefined
  /** `crash` ends the process within the call, which happens or not; `lost` loses the answer alone. */
  strikeCloud(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
  heed(clock: Clock, signal: AbortSignal | undefined): Promise<void> | undefined
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
  /** When two Kerfs acted at once: promises about numbers do not hold for what was begun then. */
  readonly twos = new Spans(this.clock, AFTER_TWO)
  /** When a process's clock was wrong: nor do they hold then. */
  readonly skews = new Spans(this.clock, AFTER_A_SKEW)
  /** When some offerings could not be had. */
  readonly shortages = new Spans(this.clock, 0)
  /** Instances that the cloud has said it takes back, or that died. */
  readonly interrupted = new Set<string>()
  restarts = 0
  /** Processes that ought to run; one of them leads. */
  readonly replicas = new Set<Process>()
  /** Processes that ought not to be there. */
  readonly second = new Set<Process>()
  readonly outages = new SimulatedOutages()
  readonly cloud: SimulatedCloud | undefined
  readonly aws: AwsAccount | undefined
  random: SeededRandom
  readonly catalogue: readonly InstanceType[]
  readonly heed: EventHeed
  readonly #interference: Interference | undefined
  readonly #end = new AbortController()
  readonly #cloudTroubles: { readonly trouble: Extract<Trouble, { kind: 'cloud' }>; skip: number; times: number }[] = []
  readonly #root: SeededRandom
  #processes = 0
  #leaving = 0
  readonly #lives: Process[] = []
  readonly #ended = new Set<string>()
  neverRegister = 0

  private constructor(course: Course, catalogue: readonly InstanceType[], interference: Interference | undefined) {
    this.course = course
    this.#interference = interference
    this.heed = (_, signal) => interference?.heed(this.clock, signal)
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
    this.aws = course.cloud === 'aws' ? this.#newAccount() : undefined
    while (this.replicas.size < course.replicas) this.replicas.add(this.#start())
  }

  static async create(course: Course, catalogue: readonly InstanceType[], interference?: Interference): Promise<World> {
    const world = new World(course, catalogue, interference)
    const { admin } = world
    definitions ??= crdManifests()
    for (const { manifest } of definitions) {
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
    if (world.aws !== undefined) await admin.create(karpenterKinds.EC2NodeClass, ec2NodeClass)
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
    return this.skews.any && (this.second.size > 0 || this.#leaving > 0)
  }

  /** Errors that are bugs by their kind, in any process's log. */
  unforeseen(): readonly Error[] {
    return this.#lives.flatMap(({ log }) => unforeseenIn(log))
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
    if (this.aws !== undefined) return this.aws.living()
    return this.cloud?.instances().map(liveInstance) ?? this.instances()
  }

  /** Instances that run or are about to, and that nobody has asked to end. */
  instances(): readonly LiveInstance[] {
    if (this.aws !== undefined) return this.aws.running()
    const machines = this.cloud?.instances().filter(({ state }) => state === 'pending' || state === 'running')
    return machines?.map(liveInstance) ?? kwokInstances(this.nodes())
  }

  /** Dollars an hour of what a claim was launched as; nothing for one that was not. */
  priceOf(claim: NodeClaim): number | undefined {
    if (this.aws !== undefined) return this.aws.priceOf(claim)
    const own = claim.metadata.labels ?? {}
    const type = this.catalogue.find(({ name }) => name === own[labels.instanceType])
    // Looked up without the engine, whose own reading of prices is among what is to be judged.
    return type?.offerings.find(({ requirements }) =>
      [labels.zone, labels.capacityType].every((label) =>
        requirements.some(
          ({ key, values }) => key === label && own[label] !== undefined && values?.includes(own[label]),
        ),
      ),
    )?.price
  }

  /** Makes a kubelet well or sick; one whose machine is gone stays silent. */
  setHealth(nodeName: string, health: NodeHealth): void {
    if (this.aws?.machines.isGone(nodeName) !== true) this.cluster.kubelet?.setHealth(nodeName, health)
  }

  provider(context: ProviderContext, owner: Owner): RunningProvider {
    if (this.aws !== undefined) {
      const { ReservedCapacity: reservedCapacity, NodeOverlay: nodeOverlay } = this.settings.featureGates
      return this.aws.provider(context, Object.assign(owner, { reservedCapacity, nodeOverlay }))
    }
    const kwok = new KwokProvider(context, {
      catalogue: this.catalogue,
      outages: this.outages,
      settings: { heartbeatInterval: 0, simulateKubelet: false },
    })
    if (this.cloud === undefined) return { provider: kwok }
    const provider = new SimulatedProvider(context, {
      cloud: this.cloud,
      instanceTypes: this.catalogue,
      wellKnownLabels: kwok.wellKnownLabels,
    })
    return { provider }
  }

  strike(call: ApiCall, when: 'before' | 'after'): Struck | undefined {
    return this.#interference?.strike(call, when) ?? this.calls.strike(call, when)
  }

  begins(call: ApiCall): void {
    for (const listener of this.listeners) listener.begins?.(call)
  }

  acts(call: ApiCall): void {
    for (const listener of this.listeners) listener.acts?.(call)
  }

  acted(call: ApiCall): void {
    for (const listener of this.listeners) listener.acted?.(call)
    if (this.course.cloud === 'kwok' && call.verb === 'patch' && call.kind?.kind === kinds.Node.kind)
      this.#noteKwokEnd(call)
  }

  /** What an invariant has found out, for the trace and the sums of a run. */
  remark(line: string, topic: string): void {
    for (const listener of this.listeners) listener.remarked?.(line, topic)
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
    const isOver = this.twos.begin()
    this.#leaving++
    this.clock.timer(DOWNTIME, () => {
      this.#replace(former)
      this.clock.timer(30_000, () => {
        this.#leaving--
        former.end()
        isOver()
      })
    })
  }

  startSecond(span: number): void {
    const isOver = this.twos.begin()
    const process = this.#start()
    this.second.add(process)
    process.run()
    this.clock.timer(span, () => {
      this.second.delete(process)
      process.end()
      isOver()
    })
  }

  orderCloud(trouble: Extract<Trouble, { kind: 'cloud' }>): void {
    this.#cloudTroubles.push({ trouble, skip: trouble.skip, times: trouble.times })
  }

  strikeAws(trouble: AwsTrouble): void {
    this.aws?.strike(trouble, () => this.shortages.begin())
  }

  clearTroubles(): void {
    this.aws?.heal()
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
    const process = new Process(this)
    this.#lives.push(process)
    return process
  }

  #newCloud(): SimulatedCloud {
    const cloud = new SimulatedCloud({
      clock: this.clock,
      random: this.#root.fork('cloud'),
      offerings: offeringsOf(this.catalogue),
      fateOf: () => (this.#isLost() ? { registrationDelay: 'never' } : {}),
    })
    cloud.faults.follow((call) => {
      for (const listener of this.listeners) listener.cloudCall?.(call)
      const ending = call.verb === 'terminate' ? this.#machine(call.subject) : undefined
      if (ending !== undefined && !this.#ended.has(ending.providerID)) this.#tellEnding(ending.providerID)
      return this.#strikeCloud(call)
    })
    return cloud
  }

  /** Whether the next machine never gets to register. */
  #isLost(): boolean {
    if (this.neverRegister === 0) return false
    this.neverRegister--
    return true
  }

  #newAccount(): AwsAccount {
    const tell = (verb: CloudCall['verb'], subject: string): void => {
      for (const listener of this.listeners) listener.cloudCall?.({ verb, subject })
    }
    return new AwsAccount({
      clock: this.clock,
      random: this.#root.fork('aws'),
      client: this.admin,
      claims: () => this.claims(),
      silence: (nodeName) => this.cluster.kubelet?.setHealth(nodeName, 'silent'),
      isLost: () => this.#isLost(),
      called: (call) => {
        for (const listener of this.listeners) listener.awsCall?.(call)
        const struck = this.#interference?.strikeCloud({ isWrite: !isAwsRead(call) })
        if (struck === undefined) return undefined
        const strike = struck === 'lost' ? 'cut' : 'crash'
        const when = struck === 'crash-before' ? 'before' : 'after'
        return { kind: 'aws-call', call, skip: 0, times: 1, when, strike }
      },
      launched: (providerID) => tell('run', providerID),
      ending: (providerID) => {
        tell('terminate', providerID)
        if (!this.#ended.has(providerID)) this.#tellEnding(providerID)
      },
      interrupted: (providerID) => {
        this.interrupted.add(providerID)
        // What was taken back counts as not to be had for a while.
        this.shortages.begin()()
      },
      messageDeleted: (body) => {
        for (const listener of this.listeners) listener.messageDeleted?.(body)
      },
    })
  }

  #machine(id: string): LiveInstance | undefined {
    const providerID = this.cloud?.instances().find((each) => each.id === id)?.providerID
    return this.instances().find((each) => each.providerID === providerID)
  }

  /** An instance of the kwok cloud ends when its Node is marked so. */
  #noteKwokEnd({ ref }: ApiCall): void {
    const node = this.nodes().find(({ metadata }) => metadata.name === ref?.name)
    const { providerID } = node?.spec ?? {}
    if (providerID === undefined || node?.metadata.annotations?.[TERMINATING] === undefined) return
    if (!this.#ended.has(providerID)) this.#tellEnding(providerID)
  }

  #tellEnding(providerID: string): void {
    this.#ended.add(providerID)
    for (const listener of this.listeners) listener.ending?.(providerID)
  }

  #strikeCloud(call: CloudCall): { before?: Error; after?: Error } | undefined {
    const struck = this.#interference?.strikeCloud({ isWrite: call.verb === 'run' || call.verb === 'terminate' })
    if (struck !== undefined) {
      if (struck !== 'lost') this.#crashLeader()
      const error = new CloudError('Internal', 'the connection was lost')
      return struck === 'crash-before' ? { before: error } : { after: error }
    }
    for (const each of this.#cloudTroubles) {
      const { trouble } = each
      if (trouble.verb !== call.verb || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      // A process that dies in the middle of a call: the call happens or not, and nobody hears of it.
      if (trouble.strike === 'crash') this.#crashLeader()
      const error = new CloudError(trouble.strike === 'throttled' ? 'Throttled' : 'Internal', 'simulated')
      return trouble.when === 'before' ? { before: error } : { after: error }
    }
    return undefined
  }

  #crashLeader(): void {
    const process = this.leader
    process.end()
    this.crashed(process)
  }
}
