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
import type { AwsFault, Fault, SimulatedRun } from '../runs/simulated-run.ts'
import { priorityClasses } from '../runs/workloads.ts'
import { AwsAccount } from './aws/aws-account.ts'
import { isAwsRead } from './aws/aws-calls.ts'
import { ec2NodeClass } from './aws/ec2-node-class.ts'
import { CallFaults, type InjectedFailure } from './call-faults.ts'
import { KerfProcess, type ProcessHandle, type ProcessHost, type RunningProvider } from './kerf-process.ts'
import type { EventGate } from './lagging-client.ts'
import type { Listener } from './listener.ts'
import { kwokInstances, type LiveInstance, liveInstance, TERMINATING } from './live-instance.ts'
import { Periods } from './periods.ts'
import { programmingErrorsIn } from './programming-errors.ts'

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
export interface FaultInjector {
  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined
  /** `crash` ends the process within the call, which happens or not; `lost` loses the answer alone. */
  injectIntoCloud(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
  gate(clock: Clock, signal: AbortSignal | undefined): Promise<void> | undefined
}

/** A cluster, a cloud and however many Kerfs are alive, in virtual time. */
export class Environment implements ProcessHost {
  readonly clock = new VirtualClock()
  readonly api: SandboxApi
  readonly admin: KubeClient
  readonly cluster: SandboxCluster
  readonly run: SimulatedRun
  readonly calls = new CallFaults()
  readonly listeners: Listener[] = []
  /** When two Kerfs acted at once: promises about numbers do not hold for what was begun then. */
  readonly overlaps = new Periods(this.clock, AFTER_TWO)
  /** When a process's clock was wrong: nor do they hold then. */
  readonly clockSkews = new Periods(this.clock, AFTER_A_SKEW)
  /** When some offerings could not be had. */
  readonly shortages = new Periods(this.clock, 0)
  /** Instances that the cloud has said it takes back, or that died. */
  readonly interrupted = new Set<string>()
  restarts = 0
  /** Processes that ought to run; one of them leads. */
  readonly replicas = new Set<KerfProcess>()
  /** Processes that ought not to be there. */
  readonly second = new Set<KerfProcess>()
  readonly outages = new SimulatedOutages()
  readonly cloud: SimulatedCloud | undefined
  readonly aws: AwsAccount | undefined
  random: SeededRandom
  readonly instanceTypes: readonly InstanceType[]
  readonly gate: EventGate
  readonly #injector: FaultInjector | undefined
  readonly #stop = new AbortController()
  readonly #cloudFaults: { readonly fault: Extract<Fault, { kind: 'cloud' }>; skip: number; times: number }[] = []
  readonly #root: SeededRandom
  #started = 0
  #stopping = 0
  readonly #processes: KerfProcess[] = []
  readonly #ended = new Set<string>()
  neverRegister = 0

  private constructor(run: SimulatedRun, instanceTypes: readonly InstanceType[], injector: FaultInjector | undefined) {
    this.run = run
    this.#injector = injector
    this.gate = (_, signal) => injector?.gate(this.clock, signal)
    this.instanceTypes = instanceTypes
    this.#root = new SeededRandom(`world-${run.seed}`)
    this.random = this.#root.fork('process-0')
    const { clock } = this
    this.api = new SandboxApi({ clock, random: this.#root.fork('api') })
    this.admin = this.api.client()
    this.cloud = run.cloud === 'machines' ? this.#newCloud() : undefined
    this.cluster = new SandboxCluster({
      api: this.api,
      clock,
      random: this.#root.fork('cluster'),
      events: false,
      ...(this.cloud === undefined ? {} : { cloud: this.cloud }),
    })
    this.aws = run.cloud === 'aws' ? this.#newAccount() : undefined
    while (this.replicas.size < run.replicas) this.replicas.add(this.#start())
  }

  static async create(
    run: SimulatedRun,
    instanceTypes: readonly InstanceType[],
    injector?: FaultInjector,
  ): Promise<Environment> {
    const environment = new Environment(run, instanceTypes, injector)
    const { admin } = environment
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
    if (environment.aws !== undefined) await admin.create(karpenterKinds.EC2NodeClass, ec2NodeClass)
    for (const each of priorityClasses) await admin.create(kinds.PriorityClass, each as never)
    for (const each of run.objects) await admin.create(environment.kindOf(each), each)
    for (const pool of run.pools) await admin.create(karpenterKinds.NodePool, pool)
    void environment.cluster.start(environment.#stop.signal)
    for (const process of environment.replicas) environment.#run(process)
    return environment
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
  get leader(): KerfProcess {
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
        SpotToSpotConsolidation: this.run.seed % 2 === 0,
      },
    }
  }

  get keepsMetrics(): boolean {
    return this.run.seed % METRICS_EVERY === 0
  }

  get hasConflictingClocks(): boolean {
    return this.clockSkews.any && (this.second.size > 0 || this.#stopping > 0)
  }

  /** Errors that are bugs by their kind, in any process's log. */
  programmingErrors(): readonly Error[] {
    return this.#processes.flatMap(({ log }) => programmingErrorsIn(log))
  }

  stop(): void {
    for (const process of [...this.replicas, ...this.second]) process.end()
    this.#stop.abort(new Error('the simulation is over'))
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
    const type = this.instanceTypes.find(({ name }) => name === own[labels.instanceType])
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

  provider(context: ProviderContext, owner: ProcessHandle): RunningProvider {
    if (this.aws !== undefined) {
      const { ReservedCapacity: reservedCapacity, NodeOverlay: nodeOverlay } = this.settings.featureGates
      return this.aws.provider(context, Object.assign(owner, { reservedCapacity, nodeOverlay }))
    }
    const kwok = new KwokProvider(context, {
      catalogue: this.instanceTypes,
      outages: this.outages,
      settings: { heartbeatInterval: 0, simulateKubelet: false },
    })
    if (this.cloud === undefined) return { provider: kwok }
    const provider = new SimulatedProvider(context, {
      cloud: this.cloud,
      instanceTypes: this.instanceTypes,
      wellKnownLabels: kwok.wellKnownLabels,
    })
    return { provider }
  }

  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined {
    return this.#injector?.inject(call, when) ?? this.calls.inject(call, when)
  }

  begins(call: ApiCall): void {
    for (const listener of this.listeners) listener.begins?.(call)
  }

  acts(call: ApiCall): void {
    for (const listener of this.listeners) listener.acts?.(call)
  }

  acted(call: ApiCall): void {
    for (const listener of this.listeners) listener.acted?.(call)
    if (this.run.cloud === 'kwok' && call.verb === 'patch' && call.kind?.kind === kinds.Node.kind)
      this.#noteKwokEnd(call)
  }

  /** What an invariant has found out, for the trace and the sums of a run. */
  remark(line: string, topic: string): void {
    for (const listener of this.listeners) listener.remarked?.(line, topic)
  }

  crashed(process: KerfProcess): void {
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
    if (this.run.replicas > 1) return
    const isOver = this.overlaps.begin()
    this.#stopping++
    this.clock.timer(DOWNTIME, () => {
      this.#replace(former)
      this.clock.timer(30_000, () => {
        this.#stopping--
        former.end()
        isOver()
      })
    })
  }

  startSecond(duration: number): void {
    const isOver = this.overlaps.begin()
    const process = this.#start()
    this.second.add(process)
    process.run()
    this.clock.timer(duration, () => {
      this.second.delete(process)
      process.end()
      isOver()
    })
  }

  addCloudFault(fault: Extract<Fault, { kind: 'cloud' }>): void {
    this.#cloudFaults.push({ fault, skip: fault.skip, times: fault.times })
  }

  injectAwsFault(fault: AwsFault): void {
    this.aws?.inject(fault, () => this.shortages.begin())
  }

  clearFaults(): void {
    this.aws?.recover()
    this.calls.clear()
    this.#cloudFaults.length = 0
    this.neverRegister = 0
  }

  #run(process: KerfProcess): void {
    if (this.run.replicas === 1) {
      process.run()
      return
    }
    void process.runElected().then(() => {
      if (process.isDead) return
      process.end()
      this.crashed(process)
    })
  }

  #replace(former: KerfProcess): void {
    if (!this.replicas.delete(former)) return
    this.restarts++
    const process = this.#start()
    this.replicas.add(process)
    this.#run(process)
  }

  #start(): KerfProcess {
    this.random = this.#root.fork(`process-${this.#started++}`)
    const process = new KerfProcess(this)
    this.#processes.push(process)
    return process
  }

  #newCloud(): SimulatedCloud {
    const cloud = new SimulatedCloud({
      clock: this.clock,
      random: this.#root.fork('cloud'),
      offerings: offeringsOf(this.instanceTypes),
      fateOf: () => (this.#neverRegisters() ? { registrationDelay: 'never' } : {}),
    })
    cloud.faults.follow((call) => {
      for (const listener of this.listeners) listener.cloudCall?.(call)
      const ending = call.verb === 'terminate' ? this.#machine(call.subject) : undefined
      if (ending !== undefined && !this.#ended.has(ending.providerID)) this.#reportTermination(ending.providerID)
      return this.#injectIntoCloud(call)
    })
    return cloud
  }

  /** Whether the next machine never gets to register. */
  #neverRegisters(): boolean {
    if (this.neverRegister === 0) return false
    this.neverRegister--
    return true
  }

  #newAccount(): AwsAccount {
    const record = (verb: CloudCall['verb'], subject: string): void => {
      for (const listener of this.listeners) listener.cloudCall?.({ verb, subject })
    }
    return new AwsAccount({
      clock: this.clock,
      random: this.#root.fork('aws'),
      client: this.admin,
      claims: () => this.claims(),
      silence: (nodeName) => this.cluster.kubelet?.setHealth(nodeName, 'silent'),
      neverRegisters: () => this.#neverRegisters(),
      called: (call) => {
        for (const listener of this.listeners) listener.awsCall?.(call)
        const injected = this.#injector?.injectIntoCloud({ isWrite: !isAwsRead(call) })
        if (injected === undefined) return undefined
        const failure = injected === 'lost' ? 'cut' : 'crash'
        const when = injected === 'crash-before' ? 'before' : 'after'
        return { kind: 'aws-call', call, skip: 0, times: 1, when, failure }
      },
      launched: (providerID) => record('run', providerID),
      ending: (providerID) => {
        record('terminate', providerID)
        if (!this.#ended.has(providerID)) this.#reportTermination(providerID)
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
    if (!this.#ended.has(providerID)) this.#reportTermination(providerID)
  }

  #reportTermination(providerID: string): void {
    this.#ended.add(providerID)
    for (const listener of this.listeners) listener.ending?.(providerID)
  }

  #injectIntoCloud(call: CloudCall): { before?: Error; after?: Error } | undefined {
    const injected = this.#injector?.injectIntoCloud({ isWrite: call.verb === 'run' || call.verb === 'terminate' })
    if (injected !== undefined) {
      if (injected !== 'lost') this.#crashLeader()
      const error = new CloudError('Internal', 'the connection was lost')
      return injected === 'crash-before' ? { before: error } : { after: error }
    }
    for (const each of this.#cloudFaults) {
      const { fault } = each
      if (fault.verb !== call.verb || each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      // A process that dies in the middle of a call: the call happens or not, and nobody hears of it.
      if (fault.failure === 'crash') this.#crashLeader()
      const error = new CloudError(fault.failure === 'throttled' ? 'Throttled' : 'Internal', 'simulated')
      return fault.when === 'before' ? { before: error } : { after: error }
    }
    return undefined
  }

  #crashLeader(): void {
    const process = this.leader
    process.end()
    this.crashed(process)
  }
}
