import { formatTime, groupVersion, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { isLaunchPending, isNodeClaimNotFound } from '@kerf/provider-contract'
import {
  ApiError,
  ControllerManager,
  type KubeClient,
  PrometheusMetrics,
  SeededRandom,
  SharedInformers,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { type ApiCall, SandboxCluster } from '@kerf/sandbox'
import type { ClusterApiProvider } from '../cluster-api-provider.ts'
import { CLUSTER_API_GROUP, clusterApiAnnotations } from '../names.ts'
import { clusterApiNodeClassResource } from '../node-class/cluster-api-node-class.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import { readMachineDeployment } from '../objects/machine-deployment.ts'
import { readMachineSet } from '../objects/machine-set.ts'
import { MachineWitness } from './machine-witness.ts'
import { CLASS_REF, newClusterApiProvider, prepareClusterApi, sizedDeployment } from './provider-harness.ts'
import { simulatedKinds } from './simulator/definitions.ts'
import { MachineSetSimulator } from './simulator/machine-set-simulator.ts'
import { healthCheckObject, NAMESPACE, newTemplate } from './simulator/management-objects.ts'

const FINALIZER = 'karpenter.sh/termination'
const DEPLOYMENTS = ['a', 'b'] as const
const played = simulatedKinds('v1beta2')
const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** One run of the process. After it dies, its calls get no response. */
interface Process {
  readonly provider: ClusterApiProvider
  readonly stop: AbortController
}

/**
 * Runs the provider and its controllers with simulated Cluster API controllers and random faults, which are derived from a seed.
 * The faults are failed calls and lost answers; crashes between two writes; other users who scale and delete, even between a read
 * and the write based on it; changed templates; nodes that fail while a health check watches them; infrastructure without capacity;
 * and pauses. The core is simulated as far as the contract defines it: it repeats `create` until there is an answer, and `delete`
 * until nothing is left.
 */
export class FaultRun {
  readonly clock = new VirtualClock()
  readonly #random: SeededRandom
  readonly #cluster: SandboxCluster
  readonly #admin: KubeClient
  #simulator: MachineSetSimulator | undefined
  #templates = 1
  readonly #end = new AbortController()
  /** Replicas that others requested, by MachineDeployment. */
  readonly ofOthers = new Map<string, number>(DEPLOYMENTS.map((name) => [name, 0]))
  /** Machines of others, which only Cluster API's health check or a user may delete. */
  readonly #theirs = new Set<string>()
  readonly #endedByHand = new Set<string>()
  /** MachineDeployments with a health check. */
  readonly #checked = new Set<string>()
  /** Machines whose node has failed, so that a health check deletes them. */
  readonly #failed = new Set<string>()
  readonly witness: MachineWitness
  readonly #busy = new Set<string>()
  #process: Process | undefined
  #faulty = true
  #processes = 0
  #names = 0

  private constructor(seed: number) {
    const { clock } = this
    this.#random = new SeededRandom(`fault-run-${seed}`)
    this.#cluster = new SandboxCluster({
      ...{ clock, random: this.#random.fork('cluster') },
      ...{ kubelet: false, scheduler: false, events: false },
    })
    this.#admin = this.#cluster.client
    this.witness = new MachineWitness({
      ...{ client: this.#admin, clock, random: this.#random.fork('witness'), kind: played.Machine },
      isExcused: (uid) => this.#endedByHand.has(uid) || this.#failed.has(uid),
    })
  }

  static async start(seed: number): Promise<FaultRun> {
    const run = new FaultRun(seed)
    const admin = run.#admin
    await installCustomResources(admin, [clusterApiNodeClassResource])
    await prepareClusterApi(admin, played, run.clock.now())
    const simulator = new MachineSetSimulator({
      ...{
        clock: run.clock,
        random: run.#random.fork('player'),
        management: admin,
        workload: admin,
        log: silentLogger,
      },
    })
    for (const name of DEPLOYMENTS) {
      const replicas = run.#chance(0.5) ? 2 : 0
      run.ofOthers.set(name, replicas)
      await simulator.addDeployment(
        name,
        sizedDeployment(name === 'a' ? 'small' : 'large', 'zone-a', 'on-demand', { replicas }),
      )
      if (run.#chance(0.5)) {
        run.#checked.add(name)
        await admin.create(played.MachineHealthCheck, healthCheckObject(played, name))
      }
    }
    simulator.start(run.#end.signal)
    run.#simulator = simulator
    run.witness.start(run.#end.signal)
    await run.clock.advance(30_000)
    for (const { uid } of await run.machines()) run.#theirs.add(uid)
    run.#boot()
    await run.clock.advance(5_000)
    return run
  }

  stop(): void {
    this.#process?.stop.abort(new Error('killed'))
    this.#end.abort(new Error('the test is over'))
  }

  /** Makes a random step every few seconds. */
  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.#act()
      await this.#core()
      await this.clock.advance(1_000 + Math.floor(this.#random.next() * 6_000))
    }
  }

  /**
   * Ends all faults, deletes all NodeClaims, and waits. Also adds a claim, removes another one without its Machine, and deletes a Machine
   * by hand, so that surplus Machines remain that no later launch would take.
   */
  async calm(): Promise<void> {
    await this.#newClaim()
    await this.#core()
    await this.#forgetClaim()
    await this.#deleteByHand()
    this.#faulty = false
    this.#simulator?.refused.clear()
    await this.#setPaused(false)
    for (const claim of await this.#claims())
      await this.#admin.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
    for (let minute = 0; minute < 40; minute++) {
      // Under OnDelete, users must update their own Machines to the new template.
      if (minute === 10) await this.#endOutdated()
      for (let part = 0; part < 6; part++) {
        await this.#core()
        await this.clock.advance(10_000)
      }
    }
  }

  async machines(): Promise<readonly Machine[]> {
    const all = (await this.#admin.list(played.Machine)).items.map((item) => readMachine(item))
    return all.filter(({ deploymentName }) => deploymentName !== undefined)
  }

  async claimNames(): Promise<readonly string[]> {
    return (await this.#claims()).map(({ metadata }) => metadata.name)
  }

  /** Returns `deployment: replicas, Machines, bound Machines` for each MachineDeployment. */
  async standing(): Promise<Readonly<Record<string, readonly [replicas: number, machines: number, bound: number]>>> {
    const machines = await this.machines()
    const deployments = (await this.#admin.list(played.MachineDeployment)).items.map((item) =>
      readMachineDeployment(item),
    )
    return Object.fromEntries(
      deployments.map(({ name, replicas }) => {
        const own = machines.filter(({ deploymentName }) => deploymentName === name)
        const bound = own.filter(
          ({ annotations, isMember }) => isMember || annotations[clusterApiAnnotations.nodeClaimUid] !== undefined,
        )
        return [name, [replicas, own.length, bound.length]]
      }),
    )
  }

  /** Returns Machines of others that are gone although no user deleted them and their nodes did not fail. */
  async missing(): Promise<readonly string[]> {
    const there = new Set((await this.machines()).map(({ uid }) => uid))
    return [...this.#theirs].filter((uid) => !there.has(uid) && !this.#endedByHand.has(uid) && !this.#failed.has(uid))
  }

  #chance(of: number): boolean {
    return this.#random.next() < of
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random.next() * list.length)]
  }

  #boot(): void {
    const stop = new AbortController()
    const random = this.#random.fork(`process-${this.#processes++}`)
    const faults = random.fork('faults')
    const meet = (call: ApiCall, when: 'before' | 'after'): Promise<void> | void => {
      if (stop.signal.aborted) return never()
      if (!this.#faulty || call.verb === 'watch') return
      const isWrite = call.verb !== 'get' && call.verb !== 'list'
      // This is the worst moment for a change, because Kerf has just based its decision on the old state.
      if (when === 'before' && call.verb === 'patch' && call.kind?.plural === played.MachineDeployment.plural)
        if (faults.next() < 0.1) return this.#scaleUp(call.ref?.name)
      const chance = call.kind?.group === CLUSTER_API_GROUP ? 0.06 : 0.02
      if (faults.next() >= chance) return
      if (isWrite && faults.next() < 0.3) {
        stop.abort(new Error('killed'))
        this.clock.timer(2_000, () => this.#end.signal.aborted || this.#boot())
        return never()
      }
      const conflict = when === 'before' && isWrite && faults.next() < 0.5
      throw conflict
        ? new ApiError({ code: 409, reason: 'Conflict', message: 'the object has been modified' })
        : new ApiError({ code: 500, reason: 'InternalError', message: 'etcdserver: leader changed' })
    }
    const client = this.#cluster.api.client({
      interceptor: { before: (call) => meet(call, 'before'), after: (call) => meet(call, 'after') },
    })
    const { clock } = this
    const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
    const events = new RecordingEventRecorder()
    const context = { client, informers, clock, random, events, log: silentLogger }
    const provider = newClusterApiProvider(context, stop.signal)
    const manager = new ControllerManager({ clock, random, logger: silentLogger, metrics: new PrometheusMetrics() })
    manager.add(...provider.controllers())
    informers.start(stop.signal)
    void manager.run({ stop: stop.signal, abandon: stop.signal })
    this.#busy.clear()
    this.#process = { provider, stop }
  }

  /** Performs one action of a user, another tool or the infrastructure. */
  async #act(): Promise<void> {
    const die = this.#random.next()
    if (die < 0.4) return await this.#newClaim()
    if (die < 0.6) return await this.#endClaim()
    if (die < 0.66) return await this.#scaleUp()
    if (die < 0.74) return await this.#deleteByHand()
    if (die < 0.79) return await this.#setPaused(this.#chance(0.5))
    if (die < 0.82) return await this.#forgetClaim()
    if (die < 0.86) return await this.#changeTemplate()
    if (die < 0.91) return await this.#failNode()
    if (die < 0.94) return this.#toggleInfrastructure()
    if (die < 0.98 && this.#process !== undefined) {
      this.#process.stop.abort(new Error('killed'))
      this.#boot()
    }
  }

  async #newClaim(): Promise<void> {
    if ((await this.#claims()).length >= 6) return
    const kind = karpenterKinds.NodeClaim
    await this.#admin.create(kind, {
      apiVersion: groupVersion(kind),
      kind: kind.kind,
      metadata: { name: `claim-${this.#names++}`, finalizers: [FINALIZER], labels: { [labels.nodePool]: 'default' } },
      spec: {
        nodeClassRef: CLASS_REF,
        requirements: [],
        resources: { requests: { cpu: this.#chance(0.5) ? '1' : '4' } },
      },
    })
  }

  async #endClaim(): Promise<void> {
    const claim = this.#pick(await this.#claims())
    if (claim !== undefined) await this.#admin.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
  }

  /** Removes the finalizer of a NodeClaim, so that its Machine is not deleted with it. */
  async #forgetClaim(): Promise<void> {
    const claim = this.#pick(await this.#claims())
    if (claim === undefined) return
    const ref = { name: claim.metadata.name }
    await this.#admin.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata: { finalizers: null } } })
    if (claim.metadata.deletionTimestamp === undefined) await this.#admin.delete(karpenterKinds.NodeClaim, ref)
  }

  async #scaleUp(name: string = this.#pick(DEPLOYMENTS) ?? 'a'): Promise<void> {
    const ref = { namespace: NAMESPACE, name }
    const { replicas } = readMachineDeployment(await this.#admin.get(played.MachineDeployment, ref))
    const body = { spec: { replicas: replicas + 1 } }
    await this.#admin.patch(played.MachineDeployment, ref, { type: 'merge', body })
    this.ofOthers.set(name, (this.ofOthers.get(name) ?? 0) + 1)
  }

  async #changeTemplate(): Promise<void> {
    const name = this.#pick(DEPLOYMENTS) ?? 'a'
    const body = newTemplate(played, `${name}-${++this.#templates}`)
    await this.#admin.patch(played.MachineDeployment, { namespace: NAMESPACE, name }, { type: 'merge', body })
    this.witness.templateChanged(name)
  }

  /** Replaces the remaining Machines of older templates, as a user would. */
  async #endOutdated(): Promise<void> {
    const sets = (await this.#admin.list(played.MachineSet)).items.map((item) => readMachineSet(item))
    for (const { namespace, name, uid, deploymentName, setName } of await this.machines()) {
      const revisions = sets.filter((set) => set.deploymentName === deploymentName).map(({ revision = 0 }) => revision)
      const own = sets.find((set) => set.name === setName)?.revision ?? 0
      if (own === Math.max(...revisions)) continue
      this.#endedByHand.add(uid)
      await this.#admin.delete(played.Machine, { namespace, name })
    }
  }

  /** Makes a node not ready. If there is a health check, Cluster API deletes the Machine. */
  async #failNode(): Promise<void> {
    const machine = this.#pick((await this.machines()).filter(({ nodeName }) => nodeName !== undefined))
    if (machine?.nodeName === undefined) return
    if (this.#checked.has(machine.deploymentName ?? '')) this.#failed.add(machine.uid)
    const lastTransitionTime = formatTime(this.clock.now())
    const ready = { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: '', lastTransitionTime }
    const body = { status: { conditions: [ready] } }
    await this.#admin.patch(kinds.Node, { name: machine.nodeName }, { type: 'merge', body }, { subresource: 'status' })
  }

  #toggleInfrastructure(): void {
    const name = this.#pick(DEPLOYMENTS) ?? 'a'
    const refused = this.#simulator?.refused
    if (refused?.delete(name) === false) refused.add(name)
  }

  async #deleteByHand(): Promise<void> {
    const machine = this.#pick(await this.machines())
    if (machine === undefined) return
    this.#endedByHand.add(machine.uid)
    const { namespace, name } = machine
    await this.#admin.delete(played.Machine, { namespace, name })
  }

  async #setPaused(paused: boolean): Promise<void> {
    const ref = { namespace: NAMESPACE, name: 'bed' }
    await this.#admin.patch(played.Cluster, ref, { type: 'merge', body: { spec: { paused } } })
  }

  async #claims(): Promise<readonly NodeClaim[]> {
    return (await this.#admin.list(karpenterKinds.NodeClaim)).items
  }

  /** Does what the core does for each NodeClaim, one call at a time. */
  async #core(): Promise<void> {
    for (const claim of await this.#claims()) {
      const { uid = '' } = claim.metadata
      const process = this.#process
      if (process === undefined || this.#busy.has(uid)) continue
      this.#busy.add(uid)
      const step =
        claim.metadata.deletionTimestamp === undefined ? this.#launch(process, claim) : this.#finish(process, claim)
      void step
        .catch((error: unknown) => {
          if (!(error instanceof Error)) throw error
        })
        .finally(() => process === this.#process && this.#busy.delete(uid))
    }
  }

  async #launch({ provider, stop }: Process, claim: NodeClaim): Promise<void> {
    if ((claim.status?.providerID ?? '') !== '') {
      // The NodeClaim's instance may be gone, because a user or a health check deleted it.
      await provider.get(claim.status?.providerID ?? '', stop.signal).catch(async (error: unknown) => {
        if (isNodeClaimNotFound(error) && !stop.signal.aborted)
          await this.#admin.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
      })
      return
    }
    try {
      const { providerID, capacity, allocatable } = await provider.create(claim, stop.signal)
      if (stop.signal.aborted) return
      const body = { status: { providerID, capacity, allocatable } }
      const ref = { name: claim.metadata.name }
      await this.#admin.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { subresource: 'status' })
    } catch (error) {
      if (stop.signal.aborted || isLaunchPending(error)) return
      const isOver = error instanceof Error && error.name === 'InsufficientCapacityError'
      if (isOver) await this.#admin.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
    }
  }

  async #finish({ provider, stop }: Process, claim: NodeClaim): Promise<void> {
    try {
      await provider.delete(claim, stop.signal)
    } catch (error) {
      if (stop.signal.aborted || !isNodeClaimNotFound(error)) return
      const body = { metadata: { finalizers: null } }
      await this.#admin.patch(karpenterKinds.NodeClaim, { name: claim.metadata.name }, { type: 'merge', body })
    }
  }
}
