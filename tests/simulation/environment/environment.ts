import {
  type CustomResource,
  type KubeObject,
  karpenterKinds,
  kinds,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import type { ControllerSettings } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Clock, type KubeClient, SeededRandom, separateByKind, VirtualClock } from '@kerf/runtime'
import { type ApiCall, type CloudCall, CloudError, type NodeHealth, SandboxApi, SandboxCluster } from '@kerf/sandbox'
import { isForeignNode } from '../runs/foreign-nodes.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'
import { CallFaults, type InjectedFailure } from './call-faults.ts'
import { type CloudFault, CloudFaults, type FailedCall } from './cloud-faults.ts'
import type { Cloud, CloudHost } from './clouds/cloud.ts'
import { cloudSimulation } from './clouds/clouds.ts'
import { createObjects } from './cluster-objects.ts'
import { runSettings } from './controller-settings.ts'
import type { ProcessHandle, ProcessHost, RunningProvider } from './kerf-process.ts'
import type { EventGate } from './lagging-client.ts'
import { Listeners } from './listeners.ts'
import type { LiveInstance } from './live-instance.ts'
import { Periods } from './periods.ts'
import { podCreation } from './pod-creation.ts'
import { Processes } from './processes.ts'

const METRICS_EVERY = 8
/**
 * How long after a clock skew Kerf may still act on decisions that it made with the wrong time. This is the duration of one or two slow
 * calls.
 */
const AFTER_A_SKEW = 60_000

/** Injects failures into single calls and events, in addition to the faults of a run. */
export interface FaultInjector {
  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined
  /**
   * Returns the failure to inject into a call. `crash-before` and `crash-after` kill the process during the call. `lost` only loses the
   * response.
   */
  injectIntoCloud(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
  /** Delays an event of a watch, like `EventGate`. */
  gate(clock: Clock, signal: AbortSignal | undefined): Promise<void> | undefined
}

/** A cluster, a cloud and all Kerf processes of a run. All of them run in virtual time. */
export class Environment implements ProcessHost, CloudHost {
  readonly clock: VirtualClock
  readonly api: SandboxApi
  /** The client of users. No faults are injected into its calls. */
  readonly admin: KubeClient
  readonly cluster: SandboxCluster
  readonly run: SimulatedRun
  readonly random: SeededRandom
  readonly instanceTypes: readonly InstanceType[]
  readonly settings: ControllerSettings
  readonly gate: EventGate
  readonly listeners = new Listeners()
  readonly processes: Processes
  /** The periods in which a process had a wrong clock. Numeric limits do not apply to actions that started in such a period. */
  readonly clockSkews: Periods
  /** The periods in which some offerings were unavailable. */
  readonly shortages: Periods
  /** Instances that the cloud has interrupted or that have died. */
  readonly interrupted = new Set<string>()
  readonly calls = new CallFaults()
  readonly cloud: Cloud
  /** The number of upcoming instances that will never register a Node. */
  neverRegister = 0
  readonly #cloudFaults = new CloudFaults(() => this.processes.crashLeader())
  readonly #injector: FaultInjector | undefined
  readonly #stop = new AbortController()

  private constructor(run: SimulatedRun, instanceTypes: readonly InstanceType[], injector: FaultInjector | undefined) {
    const simulation = cloudSimulation(run.cloud)
    const clock = new VirtualClock({ turns: simulation.turns ?? 1 })
    this.clock = clock
    this.clockSkews = new Periods(clock, AFTER_A_SKEW)
    this.shortages = new Periods(clock, 0)
    // Do not change the names passed to `fork`: the run of every seed depends on them.
    const random = new SeededRandom(`world-${run.seed}`)
    this.random = random
    this.run = run
    this.instanceTypes = instanceTypes
    this.settings = runSettings(run)
    this.#injector = injector
    this.gate = (_, signal) => injector?.gate(clock, signal)
    // CRDs of additional providers must not change the run of a seed.
    this.api = new SandboxApi({ clock, ...separateByKind(random.fork('api')) })
    this.admin = this.api.client()
    this.cloud = simulation.create(this)
    const { sandbox } = this.cloud
    this.cluster = new SandboxCluster({
      api: this.api,
      clock,
      ...separateByKind(random.fork('cluster')),
      events: false,
      ...(sandbox === undefined ? {} : { cloud: sandbox }),
      ...(run.expectedPods === undefined ? {} : { interceptor: podCreation(run.expectedPods, clock) }),
    })
    const { clockSkews } = this
    this.processes = new Processes({ host: this, clock, random, replicas: run.replicas, clockSkews })
  }

  /** Creates everything that exists before the first step of the run, and starts the processes. */
  static async create(
    run: SimulatedRun,
    injector?: FaultInjector,
    furtherResources?: readonly CustomResource[],
  ): Promise<Environment> {
    const instanceTypes = (await cloudSimulation(run.cloud).instanceTypes?.()) ?? []
    const environment = new Environment(run, instanceTypes, injector)
    await createObjects(environment.admin, run, environment.cloud, furtherResources)
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

  /** Returns the objects directly from the API server, without a client. */
  list<T extends KubeObject>(kind: ResourceKind<T>): readonly T[] {
    return this.api.list(kind, {}).items as readonly T[]
  }

  pods(): readonly Pod[] {
    return this.list(kinds.Pod)
  }

  /** Returns the Nodes, except those that belong to another autoscaler. */
  nodes(): readonly Node[] {
    return this.list(kinds.Node).filter((each) => !isForeignNode(each))
  }

  foreignNodes(): readonly Node[] {
    return this.list(kinds.Node).filter(isForeignNode)
  }

  claims(): readonly NodeClaim[] {
    return this.list(karpenterKinds.NodeClaim)
  }

  nodePools(): readonly NodePool[] {
    return this.list(karpenterKinds.NodePool)
  }

  /**
   * Returns the instances that cost money, including terminating ones. If the cloud's instances exist only as Nodes, returns the running
   * ones.
   */
  billedInstances(): readonly LiveInstance[] {
    return this.cloud.billed()
  }

  /** Returns the instances that are running or starting, except those whose termination was requested. */
  instances(): readonly LiveInstance[] {
    return this.cloud.running()
  }

  /** Returns the hourly price, in dollars, of the offering with which a NodeClaim was launched. Returns undefined before the launch. */
  priceOf(claim: NodeClaim): number | undefined {
    return this.cloud.priceOf(claim)
  }

  /** Makes a kubelet healthy or unhealthy. Has no effect on the kubelet of a terminated instance. */
  setHealth(nodeName: string, health: NodeHealth): void {
    if (this.cloud.isGone?.(nodeName) !== true) this.cluster.kubelet?.setHealth(nodeName, health)
  }

  silence(nodeName: string): void {
    this.cluster.kubelet?.setHealth(nodeName, 'silent')
  }

  provider(context: ProviderContext, handle: ProcessHandle): RunningProvider {
    return this.cloud.provider(context, handle)
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
    this.cloud.acted?.(call)
  }

  /** Removes all pending and active faults, except faults that have changed objects. */
  clearFaults(): void {
    this.cloud.recover()
    this.calls.clear()
    this.#cloudFaults.clear()
    this.neverRegister = 0
  }

  addCloudFault(fault: CloudFault): void {
    this.#cloudFaults.add(fault)
  }

  neverRegisters(): boolean {
    if (this.neverRegister === 0) return false
    this.neverRegister--
    return true
  }

  pointOf(call: { readonly isWrite: boolean }): ReturnType<FaultInjector['injectIntoCloud']> {
    return this.#injector?.injectIntoCloud(call)
  }

  failureOf(call: CloudCall): FailedCall | undefined {
    const injected = this.pointOf({ isWrite: call.verb === 'run' || call.verb === 'terminate' })
    if (injected === undefined) return this.#cloudFaults.inject(call)
    if (injected !== 'lost') this.processes.crashLeader()
    const error = new CloudError('Internal', 'the connection was lost')
    return injected === 'crash-before' ? { before: error } : { after: error }
  }
}
