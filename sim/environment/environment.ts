import {
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
import type { ControllerSettings } from '@kerf/controllers'
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
import type { AwsFault, SimulatedRun } from '../runs/simulated-run.ts'
import { AwsAccount } from './aws/aws-account.ts'
import { isAwsRead } from './aws/aws-calls.ts'
import { CallFaults, type InjectedFailure } from './call-faults.ts'
import { CloudFaults, type FailedCall } from './cloud-faults.ts'
import { createObjects } from './cluster-objects.ts'
import { settingsOf } from './controller-settings.ts'
import type { ProcessHandle, ProcessHost, RunningProvider } from './kerf-process.ts'
import type { EventGate } from './lagging-client.ts'
import { Listeners } from './listeners.ts'
import { kwokInstances, type LiveInstance, liveInstance, TERMINATING } from './live-instance.ts'
import { Periods } from './periods.ts'
import { Processes } from './processes.ts'

const METRICS_EVERY = 8
/** Decisions of a wrong clock are still carried out this much later, after a slow answer or two. */
const AFTER_A_SKEW = 60_000

/** Injects failures into single calls and events, beside the faults of a run. */
export interface FaultInjector {
  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined
  /** `crash-before` and `crash-after` end the process within the call. `lost` loses the answer alone. */
  injectIntoCloud(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
  /** Holds an event of a watch up, as `EventGate` does. */
  gate(clock: Clock, signal: AbortSignal | undefined): Promise<void> | undefined
}

/** A cluster, a cloud and all Kerf processes of a run, in virtual time. */
export class Environment implements ProcessHost {
  readonly clock = new VirtualClock()
  readonly api: SandboxApi
  /** The client of the users. No fault is injected into its calls. */
  readonly admin: KubeClient
  readonly cluster: SandboxCluster
  readonly run: SimulatedRun
  readonly instanceTypes: readonly InstanceType[]
  readonly settings: ControllerSettings
  readonly gate: EventGate
  readonly listeners = new Listeners()
  readonly processes: Processes
  /** When a process's clock was wrong. Promises about numbers do not hold for what was begun then. */
  readonly clockSkews = new Periods(this.clock, AFTER_A_SKEW)
  /** When some offerings were not available. */
  readonly shortages = new Periods(this.clock, 0)
  /** Instances that the cloud interrupts, or that died. */
  readonly interrupted = new Set<string>()
  readonly calls = new CallFaults()
  readonly cloudFaults = new CloudFaults(() => this.processes.crashLeader())
  readonly outages = new SimulatedOutages()
  readonly cloud: SimulatedCloud | undefined
  readonly aws: AwsAccount | undefined
  /** How many of the next instances never register. */
  neverRegister = 0
  readonly #injector: FaultInjector | undefined
  readonly #stop = new AbortController()

  private constructor(run: SimulatedRun, instanceTypes: readonly InstanceType[], injector: FaultInjector | undefined) {
    const { clock } = this
    // The names of forks belong to the seed: with another name every run would be another one.
    const random = new SeededRandom(`world-${run.seed}`)
    this.run = run
    this.instanceTypes = instanceTypes
    this.settings = settingsOf(run)
    this.#injector = injector
    this.gate = (_, signal) => injector?.gate(clock, signal)
    this.api = new SandboxApi({ clock, random: random.fork('api') })
    this.admin = this.api.client()
    this.cloud = run.cloud === 'simulated' ? this.#newCloud(random) : undefined
    this.cluster = new SandboxCluster({
      api: this.api,
      clock,
      random: random.fork('cluster'),
      events: false,
      ...(this.cloud === undefined ? {} : { cloud: this.cloud }),
    })
    this.aws = run.cloud === 'aws' ? this.#newAccount(random) : undefined
    const { clockSkews } = this
    this.processes = new Processes({ host: this, clock, random, replicas: run.replicas, clockSkews })
  }

  /** Sets everything up that is there before the first step of the run, and starts the processes. */
  static async create(
    run: SimulatedRun,
    instanceTypes: readonly InstanceType[],
    injector?: FaultInjector,
  ): Promise<Environment> {
    const environment = new Environment(run, instanceTypes, injector)
    await createObjects(environment.admin, run)
    void environment.cluster.start(environment.#stop.signal)
    environment.processes.start()
    return environment
  }

  get keepsMetrics(): boolean {
    return this.run.seed % METRICS_EVERY === 0
  }

  stop(): void {
    this.processes.stop()
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

  /** Instances that cost money, including terminating ones. Of the kwok cloud those that run. */
  billedInstances(): readonly LiveInstance[] {
    if (this.aws !== undefined) return this.aws.living()
    return this.cloud?.instances().map(liveInstance) ?? this.instances()
  }

  /** Instances that run or are about to, and that nobody has asked to terminate. */
  instances(): readonly LiveInstance[] {
    if (this.aws !== undefined) return this.aws.running()
    const instances = this.cloud?.instances().filter(({ state }) => state === 'pending' || state === 'running')
    return instances?.map(liveInstance) ?? kwokInstances(this.nodes())
  }

  /** Dollars an hour of the offering that a claim was launched with. Nothing for a claim that was not launched. */
  priceOf(claim: NodeClaim): number | undefined {
    if (this.aws !== undefined) return this.aws.priceOf(claim)
    const own = claim.metadata.labels ?? {}
    const type = this.instanceTypes.find(({ name }) => name === own[labels.instanceType])
    // Looked up without the engine: how the engine reads prices is among what is checked.
    return type?.offerings.find(({ requirements }) =>
      [labels.zone, labels.capacityType].every((label) =>
        requirements.some(
          ({ key, values }) => key === label && own[label] !== undefined && values?.includes(own[label]),
        ),
      ),
    )?.price
  }

  /** Makes a kubelet healthy or sick. The kubelet of a terminated instance stays silent. */
  setHealth(nodeName: string, health: NodeHealth): void {
    if (this.aws?.kubelets.isGone(nodeName) !== true) this.cluster.kubelet?.setHealth(nodeName, health)
  }

  provider(context: ProviderContext, handle: ProcessHandle): RunningProvider {
    if (this.aws !== undefined) {
      const { ReservedCapacity: reservedCapacity, NodeOverlay: nodeOverlay } = this.settings.featureGates
      return this.aws.provider(context, Object.assign(handle, { reservedCapacity, nodeOverlay }))
    }
    const kwok = new KwokProvider(context, {
      instanceTypes: this.instanceTypes,
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
    this.listeners.begins(call)
  }

  acts(call: ApiCall): void {
    this.listeners.acts(call)
  }

  acted(call: ApiCall): void {
    this.listeners.acted(call)
    if (this.run.cloud === 'kwok' && call.verb === 'patch' && call.kind?.kind === kinds.Node.kind)
      this.#noteKwokTermination(call)
  }

  injectAwsFault(fault: AwsFault): void {
    this.aws?.inject(fault, () => this.shortages.begin())
  }

  /** Removes all faults that are waiting or under way, except those that changed objects. */
  clearFaults(): void {
    this.aws?.recover()
    this.calls.clear()
    this.cloudFaults.clear()
    this.neverRegister = 0
  }

  #newCloud(random: SeededRandom): SimulatedCloud {
    const cloud = new SimulatedCloud({
      clock: this.clock,
      random: random.fork('cloud'),
      offerings: offeringsOf(this.instanceTypes),
      fateOf: () => (this.#neverRegisters() ? { registrationDelay: 'never' } : {}),
    })
    cloud.faults.follow((call) => {
      this.listeners.cloudCall(call)
      const terminating = call.verb === 'terminate' ? this.#instance(call.subject) : undefined
      if (terminating !== undefined) this.listeners.terminating(terminating.providerID)
      return this.#injectIntoCloud(call)
    })
    return cloud
  }

  #newAccount(random: SeededRandom): AwsAccount {
    return new AwsAccount({
      clock: this.clock,
      random: random.fork('aws'),
      client: this.admin,
      claims: () => this.claims(),
      silence: (nodeName) => this.cluster.kubelet?.setHealth(nodeName, 'silent'),
      neverRegisters: () => this.#neverRegisters(),
      called: (call) => {
        this.listeners.awsCall(call)
        const injected = this.#injector?.injectIntoCloud({ isWrite: !isAwsRead(call) })
        if (injected === undefined) return undefined
        const failure = injected === 'lost' ? 'cut' : 'crash'
        const when = injected === 'crash-before' ? 'before' : 'after'
        return { kind: 'aws-call', call, skip: 0, times: 1, when, failure }
      },
      launched: (providerID) => this.listeners.cloudCall({ verb: 'run', subject: providerID }),
      terminating: (providerID) => {
        this.listeners.cloudCall({ verb: 'terminate', subject: providerID })
        this.listeners.terminating(providerID)
      },
      interrupted: (providerID) => {
        this.interrupted.add(providerID)
        // An offering whose instance was interrupted counts as unavailable for a while.
        this.shortages.begin()()
      },
      messageDeleted: (body) => this.listeners.messageDeleted(body),
    })
  }

  /** Whether the next instance never registers. */
  #neverRegisters(): boolean {
    if (this.neverRegister === 0) return false
    this.neverRegister--
    return true
  }

  #instance(id: string): LiveInstance | undefined {
    const providerID = this.cloud?.instances().find((each) => each.id === id)?.providerID
    return this.instances().find((each) => each.providerID === providerID)
  }

  /** An instance of the kwok cloud terminates when its Node is marked so. */
  #noteKwokTermination({ ref }: ApiCall): void {
    const node = this.nodes().find(({ metadata }) => metadata.name === ref?.name)
    const { providerID } = node?.spec ?? {}
    if (providerID === undefined || node?.metadata.annotations?.[TERMINATING] === undefined) return
    this.listeners.terminating(providerID)
  }

  #injectIntoCloud(call: CloudCall): FailedCall | undefined {
    const injected = this.#injector?.injectIntoCloud({ isWrite: call.verb === 'run' || call.verb === 'terminate' })
    if (injected === undefined) return this.cloudFaults.inject(call)
    if (injected !== 'lost') this.processes.crashLeader()
    const error = new CloudError('Internal', 'the connection was lost')
    return injected === 'crash-before' ? { before: error } : { after: error }
  }
}
