import type { NodeClaim } from '@kerf/apis'
import {
  clusterApiAnnotations,
  clusterObject,
  healthCheckObject,
  installClusterApi,
  MachineSetSimulator,
  NAMESPACE,
  newTemplate,
  plantedMachine,
  readMachine,
  simulatedKinds,
  sizedDeployment,
} from '@kerf/provider-cluster-api/testing'
import { ApiError, type Clock, type KubeClient, type SeededRandom, silentLogger } from '@kerf/runtime'
import { type OfferingSelector, SandboxApi } from '@kerf/sandbox'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked, tolerating } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import type { ClusterApiFault } from './cluster-api-fault.ts'
import { type CallWatcher, ManagementCalls } from './management-calls.ts'

type Machine = ReturnType<typeof readMachine>
type CapacityType = 'spot' | 'on-demand'

const VERSION = 'v1beta2'
export const CLUSTER = 'bed'
const PREFIX = 'in-memory://'

/**
 * On-demand prices by the sizes of `sizedDeployment`, in dollars per hour. Spot costs a quarter. The simulation does not read the price
 * annotation, so it can check whether Kerf reads it correctly.
 */
const PRICES: Readonly<Record<string, number>> = { small: 0.1, large: 0.4, huge: 1.2 }

const DEPLOYMENTS = [
  ['small', 'zone-a', 'on-demand'],
  ['small', 'zone-b', 'on-demand'],
  ['small', 'zone-a', 'spot'],
  ['large', 'zone-a', 'on-demand'],
  ['large', 'zone-b', 'on-demand'],
  ['large', 'zone-b', 'spot'],
  ['huge', 'zone-a', 'on-demand'],
] as const

/** The MachineDeployment that another owner also uses, and the number of its Machines. */
const SHARED = 'small-zone-a-on-demand'
const OF_OTHERS = 2
/** A MachineDeployment with a maximum size. Beyond this size, Kerf must choose another MachineDeployment. */
const LIMITED = { name: 'small-zone-a-spot', size: 3 }

export interface ManagementDeps extends CallWatcher {
  readonly clock: Clock
  readonly random: SeededRandom
  /** The administrator's client of the cluster that the Nodes join. */
  readonly workload: KubeClient
  /** Called once for each machine that boots. Returns true if the machine never registers a Node. */
  readonly neverRegisters: () => boolean
  /** Stops the kubelet of a node whose machine is gone. */
  readonly silence: (nodeName: string) => void
  /** Called when a Machine is deleted, but not by Kerf, and when the machine of a Machine dies. */
  readonly interrupted: (providerID: string) => void
  /** Marks machines as unavailable until the returned function is called. */
  readonly beginShortage: () => () => void
}

/** A management cluster with seven MachineDeployments that Kerf uses, Machines of other owners, and injected faults. */
export class Management {
  readonly calls: ManagementCalls
  /** Provider IDs of Machines that do not belong to Kerf: those of another Cluster, and those that existed before Kerf. */
  readonly foreign = new Set<string>()
  readonly #deps: ManagementDeps
  readonly #api: SandboxApi
  readonly #admin: KubeClient
  readonly #kinds = simulatedKinds(VERSION)
  readonly #simulator: MachineSetSimulator
  readonly #selectors = new Set<OfferingSelector>()
  /** Replicas that other owners requested, by MachineDeployment. */
  readonly #ofOthers = new Map<string, number>([[SHARED, OF_OTHERS]])
  /** Names of Machines whose machine is gone. */
  readonly #ended = new Set<string>()
  /** The functions that end the active faults. */
  readonly #over = new Set<() => void>()

  constructor(deps: ManagementDeps) {
    const { clock, random, workload, neverRegisters, silence } = deps
    this.#deps = deps
    this.#api = new SandboxApi({ clock, random: random.fork('api') })
    this.#admin = this.#api.client()
    this.#simulator = new MachineSetSimulator({
      ...{ clock, random: random.fork('player'), log: silentLogger, version: VERSION, providerIdPrefix: PREFIX },
      ...{ management: this.#admin, workload, reportsReady: false, neverRegisters },
      ended: ({ name }) => {
        this.#ended.add(name)
        silence(name)
      },
    })
    this.calls = new ManagementCalls(this.#api, this.#kinds, {
      ...deps,
      called: (call) => {
        // If Kerf launches several NodeClaims at once, the MachineDeployment refuses those beyond its maximum size.
        if (call.subject === `machinedeployments ${LIMITED.name}`) deps.beginShortage()()
        return deps.called(call)
      },
    })
  }

  /** Creates the objects that exist before Kerf, and starts the controllers of Cluster API. */
  async prepare(): Promise<void> {
    const kinds = this.#kinds
    await installClusterApi(this.#admin, VERSION)
    await this.#admin.create(kinds.Cluster, clusterObject(kinds, CLUSTER))
    const theirs = { providerID: `${PREFIX}foreign`, cluster: 'another', isMember: true }
    await this.#admin.create(kinds.Machine, plantedMachine(kinds, 'foreign', theirs))
    this.foreign.add(theirs.providerID)
    for (const [size, zone, capacityType] of DEPLOYMENTS) {
      const name = `${size}-${zone}-${capacityType}`
      const annotations = name === LIMITED.name ? { [clusterApiAnnotations.maxSize]: String(LIMITED.size) } : {}
      const replicas = this.#ofOthers.get(name) ?? 0
      await this.#simulator.addDeployment(name, sizedDeployment(size, zone, capacityType, { annotations, replicas }))
      await this.#admin.create(kinds.MachineHealthCheck, healthCheckObject(kinds, name, CLUSTER))
    }
    await this.#simulator.look()
    for (const { name, deploymentName } of this.#machines())
      if (deploymentName === SHARED) this.foreign.add(`${PREFIX}${name}`)
    this.#simulator.start(new AbortController().signal)
  }

  /** Returns the Machines that Kerf requested and that still cost money. */
  billed(): readonly LiveInstance[] {
    return this.#own().map(liveMachine)
  }

  /**
   * Returns the Machines that Kerf requested, except those whose deletion was requested. Leaves out surplus Machines of a MachineDeployment
   * with two MachineSets, because Kerf cannot remove them (`providers/cluster-api/docs/spec/cluster-api.md#surplus`).
   */
  running(): readonly LiveInstance[] {
    return this.#own()
      .filter((machine) => !machine.isDeleting && !machine.isMarkedForDeletion && !this.#isStuck(machine))
      .map(liveMachine)
  }

  /** Returns true for a Machine of another owner, and for a Machine of Kerf that Kerf cannot remove. */
  mayBeUnclaimed(providerID: string): boolean {
    const stuck = this.#own().filter((machine) => this.#isStuck(machine))
    return [...this.#machinesOfOthers(), ...stuck].some((machine) => machineProviderId(machine) === providerID)
  }

  /** Returns the replicas of other owners that are missing. */
  takenFromOthers(): readonly string[] {
    const left = this.#machinesOfOthers()
    return [...this.#ofOthers].flatMap(([name, wanted]) => {
      const there = left.filter(({ deploymentName }) => deploymentName === name).length
      return there === wanted ? [] : [`others asked for ${wanted} replicas of ${name}, and have ${there}`]
    })
  }

  /** Returns true if Cluster API marks the NodeClaim's Machine as out of date with its template. */
  hasDrifted(claim: NodeClaim): boolean {
    const machine = this.#machines().find(({ annotations }) => isTakenBy(annotations, claim))
    return machine?.upToDate?.status === 'False'
  }

  priceOf({ metadata }: NodeClaim): number | undefined {
    const own = metadata.labels ?? {}
    const price = PRICES[own['node.kubernetes.io/instance-type'] ?? '']
    if (price === undefined) return undefined
    return own['karpenter.sh/capacity-type'] === 'spot' ? price / 4 : price
  }

  isGone(nodeName: string): boolean {
    return this.#ended.has(nodeName)
  }

  /** Makes these machines unavailable. Returns a function that makes them available again. */
  stockOut(selector: OfferingSelector): () => void {
    this.#selectors.add(selector)
    this.#refuse()
    return () => {
      this.#selectors.delete(selector)
      this.#refuse()
    }
  }

  /**
   * Makes a machine die. If `only` is given, chooses among the machines of that capacity type. Cluster API detects the failure through the
   * health check of its MachineDeployment.
   */
  kill(pick: number, only?: CapacityType): void {
    const alive = this.#own().filter(
      ({ isDeleting, deploymentName = '', providerId }) =>
        !isDeleting && providerId !== undefined && (only === undefined || deploymentName.endsWith(only)),
    )
    const machine = picked(alive, pick)
    if (machine === undefined) return
    this.#deps.interrupted(machineProviderId(machine))
    this.#simulator.lose(machine)
    this.#ended.add(machine.name)
    this.#deps.silence(machine.name)
  }

  /** Begins a fault of Cluster API, which ends after its duration. */
  inject(fault: ClusterApiFault): void {
    const { beginShortage } = this.#deps
    switch (fault.kind) {
      case 'management-away':
        this.#lasts(fault.duration, beginShortage(), this.calls.goAway())
        return
      case 'management-watch-lost':
        if (fault.expired) this.#api.compact()
        this.calls.loseWatches(
          fault.expired
            ? new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' })
            : undefined,
        )
        return
      case 'machine-deleted':
        void this.#deleteByHand(fault.pick)
        return
      case 'deployment-scaled':
        void this.#scaleByOthers(fault.pick)
        return
      case 'cluster-paused':
        void this.#setPaused(true)
        this.#lasts(fault.duration, beginShortage(), () => void this.#setPaused(false))
        return
      case 'machine-template-changed':
        void this.#changeTemplate(fault.pick)
        return
      case 'binding-cut':
        this.calls.cutBindings(fault)
    }
  }

  /** Ends all faults. */
  recover(): void {
    for (const over of [...this.#over]) over()
    this.calls.clearCuts()
    this.#selectors.clear()
    this.#refuse()
  }

  #lasts(duration: number, ...ends: readonly (() => void)[]): void {
    const end = (): void => {
      if (this.#over.delete(end)) for (const each of ends) each()
    }
    this.#over.add(end)
    this.#deps.clock.timer(duration, end)
  }

  #refuse(): void {
    const refused = DEPLOYMENTS.filter(([size, zone, capacityType]) =>
      [...this.#selectors].some(
        (selector) =>
          (selector.instanceType ?? size) === size &&
          (selector.zone ?? zone) === zone &&
          (selector.capacityType ?? capacityType) === capacityType,
      ),
    )
    this.#simulator.refused.clear()
    for (const [size, zone, capacityType] of refused) this.#simulator.refused.add(`${size}-${zone}-${capacityType}`)
  }

  async #deleteByHand(pick: number): Promise<void> {
    const machine = picked(
      this.#machines().filter(({ deploymentName, isDeleting }) => deploymentName !== undefined && !isDeleting),
      pick,
    )
    if (machine === undefined) return
    const { namespace, name, providerId } = machine
    if (providerId !== undefined) this.#deps.interrupted(providerId)
    // A NodeClaim may wait for this Machine, so the loss counts as a short shortage.
    else this.#deps.beginShortage()()
    await tolerating(() => this.#admin.delete(this.#kinds.Machine, { namespace, name }))
  }

  async #scaleByOthers(pick: number): Promise<void> {
    const [size, zone, capacityType] = picked(DEPLOYMENTS, pick) ?? DEPLOYMENTS[0]
    const name = `${size}-${zone}-${capacityType}`
    const ref = { namespace: NAMESPACE, name }
    const { spec } = await this.#admin.get(this.#kinds.MachineDeployment, ref)
    const body = { spec: { replicas: (spec?.replicas ?? 0) + 1 } }
    await this.#admin.patch(this.#kinds.MachineDeployment, ref, { type: 'merge', body })
    this.#ofOthers.set(name, (this.#ofOthers.get(name) ?? 0) + 1)
  }

  async #setPaused(paused: boolean): Promise<void> {
    const ref = { namespace: NAMESPACE, name: CLUSTER }
    await this.#admin.patch(this.#kinds.Cluster, ref, { type: 'merge', body: { spec: { paused } } })
  }

  async #changeTemplate(pick: number): Promise<void> {
    const [size, zone, capacityType] = picked(DEPLOYMENTS, pick) ?? DEPLOYMENTS[0]
    const ref = { namespace: NAMESPACE, name: `${size}-${zone}-${capacityType}` }
    const body = newTemplate(this.#kinds, `${ref.name}-${this.#deps.clock.monotonic()}`)
    await this.#admin.patch(this.#kinds.MachineDeployment, ref, { type: 'merge', body })
  }

  /** Returns the Machines of Kerf's MachineDeployments, without those of other owners and without dead ones. */
  #own(): readonly Machine[] {
    const theirs = new Set(this.#machinesOfOthers().map(({ uid }) => uid))
    return this.#machines().filter(
      ({ uid, name, deploymentName }) => deploymentName !== undefined && !theirs.has(uid) && !this.#ended.has(name),
    )
  }

  #isStuck({ annotations, deploymentName, setName }: Machine): boolean {
    return (
      annotations[clusterApiAnnotations.nodeClaimUid] === undefined &&
      this.#machines().some((other) => other.deploymentName === deploymentName && other.setName !== setName)
    )
  }

  /** Returns the oldest Machines without a NodeClaim, as many as other owners requested. */
  #machinesOfOthers(): readonly Machine[] {
    const all = this.#machines()
    return [...this.#ofOthers].flatMap(([name, count]) =>
      all
        .filter(
          ({ deploymentName, annotations, isDeleting }) =>
            deploymentName === name && !isDeleting && annotations[clusterApiAnnotations.nodeClaimUid] === undefined,
        )
        .toSorted((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0))
        .slice(0, count),
    )
  }

  #machines(): readonly Machine[] {
    return this.#api.list(this.#kinds.Machine, {}).items.map((object) => readMachine(object as never))
  }
}

const isTakenBy = (annotations: Machine['annotations'], { metadata }: NodeClaim): boolean =>
  annotations[clusterApiAnnotations.nodeClaimUid] === metadata.uid

const machineProviderId = ({ providerId, name }: Machine): string => providerId ?? `pending ${name}`

const liveMachine = (machine: Machine): LiveInstance => ({
  providerID: machineProviderId(machine),
  // A unique name for a Machine that no NodeClaim has taken yet.
  claimUid: machine.annotations[clusterApiAnnotations.nodeClaimUid] ?? `none ${machine.name}`,
})
