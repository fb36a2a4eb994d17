import { controllerOwner, kinds, labels, type Milliseconds, type Pod, type UsdPerHour } from '@kerf/apis'
import { commitmentUse, isOwnedByDaemonSet, plannedCommitments, readPrepaid } from '@kerf/controllers'
import { coveredShares } from '@kerf/engine'
import type { Clock, RecordedEvent } from '@kerf/runtime'
import type { ApiCall, SandboxCluster, SimulatedCloud } from '@kerf/sandbox'
import type { PlannedCommitments } from '../plan/commitments.ts'
import { computeWaits, type Sample, type SimulationResult } from './result.ts'

const HOUR = 3_600_000
const MOST_WORKLOADS = 10
const PREFIX = /^Failed to schedule pod, /

/** The commitments of the ClusterPolicy, and the instance types of the simulated cloud. */
type SimulatedCommitments = Pick<PlannedCommitments, 'specs' | 'types'>

interface Counts {
  pods: number
  disruptions: number
}

const isWaiting = ({ status }: Pod): boolean => status?.phase === undefined || status.phase === 'Pending'

/** Returns the workload of the pod as `default/web`. */
const podWorkload = (pod: Pod): string => {
  const owner = controllerOwner(pod)
  const hash = pod.metadata.labels?.['pod-template-hash']
  const name = owner?.name ?? pod.metadata.name
  return `${pod.metadata.namespace}/${hash !== undefined && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name}`
}

/** Watches a simulated cluster and collects the figures for the result. */
export class Observer {
  readonly #clock: Clock
  readonly #cluster: SandboxCluster
  readonly #cloud: SimulatedCloud
  readonly #born = new Map<string, Milliseconds>()
  readonly #waits: Milliseconds[] = []
  /** Kerf's last message about each unschedulable pod, keyed by uid. */
  readonly #refusals = new Map<string, string>()
  readonly #workloads = new Map<string, Counts>()
  readonly #samples: Sample[] = []
  #pods = 0
  #evictions = 0
  #lost = 0
  readonly #nodeOverheadCost: UsdPerHour
  #interruptions = 0
  #nodeTime = 0
  /** The time at which the measurement began, and the cost and the number of launches up to that time. */
  #began: { readonly at: Milliseconds; readonly cost: number; readonly launches: number } = {
    at: 0,
    cost: 0,
    launches: 0,
  }

  /** The cost so far of the instances that commitments cover, at their hourly prices. */
  #coveredCost = 0
  readonly #commitments: SimulatedCommitments

  /**
   * @param nodeOverheadCost additional cost of each node, in US dollars per hour
   * @param commitments the commitments of the ClusterPolicy
   */
  constructor(
    clock: Clock,
    cluster: SandboxCluster,
    cloud: SimulatedCloud,
    nodeOverheadCost: UsdPerHour = 0,
    commitments: SimulatedCommitments = { specs: [], types: new Map() },
  ) {
    this.#nodeOverheadCost = nodeOverheadCost
    this.#commitments = commitments
    this.#clock = clock
    this.#cluster = cluster
    this.#cloud = cloud
    cluster.informers.of(kinds.Pod).onChange(({ before, after }) => this.#podChanged(before, after))
    cloud.onEvent((event) => {
      if (event.kind === 'interruption') this.#interruptions++
      if (event.kind === 'terminating') this.#instanceTerminated(event.instance.node.name)
    })
  }

  /** Begins the measurement. The figures include the nodes and pods that exist now, but no earlier events. */
  begin(): void {
    this.#began = { at: this.#clock.monotonic(), cost: this.#cloud.totalCost(), launches: this.#cloud.launches }
    const pods = [...this.#cluster.informers.of(kinds.Pod).values()]
    this.#waits.length = 0
    this.#workloads.clear()
    this.#evictions = 0
    this.#lost = 0
    this.#interruptions = 0
    this.#pods = pods.length
    for (const pod of pods) this.#workload(pod).pods++
    for (const uid of this.#born.keys()) this.#born.set(uid, this.#began.at)
  }

  /** Records a successful API call of Kerf. */
  acted({ verb, ref, kind }: ApiCall): void {
    const isDeletion = verb === 'delete' && kind?.plural === kinds.Pod.plural && kind.group === kinds.Pod.group
    if (ref === undefined || !(verb === 'evict' || isDeletion)) return
    const pod = this.#cluster.informers.of(kinds.Pod).get(`${ref.namespace}/${ref.name}`)
    // If a pod is already terminating, another deletion only shortens its grace period.
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
    this.#evictions++
    this.#workload(pod).disruptions++
  }

  /** Records an Event that Kerf published. */
  eventPublished({ reason, message, object }: RecordedEvent): void {
    if (reason === 'FailedScheduling') this.#refusals.set(object.metadata.uid ?? '', message.replace(PREFIX, ''))
  }

  /** Counts the running pods of the instance as lost. DaemonSet pods are not counted, because they exist only for the instance. */
  #instanceTerminated(nodeName: string): void {
    for (const pod of this.#cluster.informers.of(kinds.Pod).values()) {
      const { metadata, spec, status } = pod
      const isRunning = status?.phase === 'Running' && metadata.deletionTimestamp === undefined
      if (spec.nodeName !== nodeName || !isRunning || isOwnedByDaemonSet(pod)) continue
      this.#lost++
      this.#workload(pod).disruptions++
    }
  }

  /** Returns the total hourly price of the instances that prepaid commitments cover at present. */
  #coveredPrice(): UsdPerHour {
    const { specs, types } = this.#commitments
    if (specs.length === 0) return 0
    const instances = new Map(this.#cloud.instances().map((instance) => [instance.id, instance]))
    const nodes = Array.from(instances.values(), ({ id, instanceType, capacityType, zone }) => ({
      name: id,
      labels: { [labels.instanceType]: instanceType, [labels.capacityType]: capacityType, [labels.zone]: zone },
      markedForDeletion: false,
    }))
    const uses = commitmentUse(readPrepaid(specs, this.#clock.now()), nodes, [], types)
    let sum = 0
    for (const [id, share] of coveredShares(plannedCommitments(uses, types))) {
      const instance = instances.get(id)
      if (instance !== undefined) sum += share * (this.#cloud.market.priceOf(instance) ?? 0)
    }
    return sum
  }

  sample(): Sample {
    const at = this.#clock.monotonic() - this.#began.at
    const nodes = this.#cloud.instances().length
    const passed = at - (this.#samples.at(-1)?.at ?? at)
    this.#nodeTime += nodes * passed
    const covered = this.#coveredPrice()
    this.#coveredCost += covered * (passed / HOUR)
    let pods = 0
    let waiting = 0
    for (const pod of this.#cluster.informers.of(kinds.Pod).values()) {
      if (pod.status?.phase === 'Running') pods++
      else if (isWaiting(pod)) waiting++
    }
    const sample = {
      at,
      nodes,
      hourlyCost: this.#cloud.hourlyCost() - covered + nodes * this.#nodeOverheadCost,
      pods,
      waiting,
    }
    this.#samples.push(sample)
    return sample
  }

  result(name: string, seed: number, refused: readonly string[]): Omit<SimulationResult, 'leftOut'> {
    const last = this.#samples.at(-1)
    return {
      name,
      seed,
      span: this.#clock.monotonic() - this.#began.at,
      cost:
        this.#cloud.totalCost() -
        this.#began.cost -
        this.#coveredCost +
        (this.#nodeTime / HOUR) * this.#nodeOverheadCost,
      nodeHours: this.#nodeTime / HOUR,
      launches: this.#cloud.launches - this.#began.launches,
      interruptions: this.#interruptions,
      pods: this.#pods,
      waits: computeWaits([...this.#waits, ...this.#waitsSoFar()]),
      evictions: this.#evictions,
      lost: this.#lost,
      disruptionsPerPod: this.#pods === 0 ? 0 : (this.#evictions + this.#lost) / this.#pods,
      mostDisrupted: [...this.#workloads]
        .map(([workload, counts]) => ({ workload, ...counts }))
        .filter(({ disruptions }) => disruptions > 0)
        .sort((a, b) => b.disruptions - a.disruptions || (a.workload < b.workload ? -1 : 1))
        .slice(0, MOST_WORKLOADS),
      waitingAtEnd: last?.waiting ?? 0,
      withoutPlace: this.#withoutPlace(),
      samples: this.#samples,
      refused,
    }
  }

  /**
   * Returns how long the pods that are still pending have waited so far. If these pods were not counted, a setting under which they are
   * never scheduled would look better than it is.
   */
  #waitsSoFar(): readonly Milliseconds[] {
    const now = this.#clock.monotonic()
    return Array.from(this.#born.values(), (born) => now - born)
  }

  #withoutPlace(): SimulationResult['withoutPlace'] {
    const found = new Map<string, { pods: number; why: string }>()
    for (const pod of this.#cluster.informers.of(kinds.Pod).values()) {
      const why = this.#refusals.get(pod.metadata.uid ?? '')
      if (why === undefined) continue
      const workload = podWorkload(pod)
      found.set(workload, { pods: (found.get(workload)?.pods ?? 0) + 1, why })
    }
    return Array.from(found, ([workload, { pods, why }]) => ({ workload, pods, why }))
      .sort((a, b) => b.pods - a.pods || (a.workload < b.workload ? -1 : 1))
      .slice(0, MOST_WORKLOADS)
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): void {
    const uid = (after ?? before)?.metadata.uid ?? ''
    if (after === undefined || (after.spec.nodeName ?? '') !== '') this.#refusals.delete(uid)
    if (before === undefined && after !== undefined) {
      this.#pods++
      this.#workload(after).pods++
      this.#born.set(uid, this.#clock.monotonic())
    }
    const born = this.#born.get(uid)
    // Also record the waiting time of a pod that was deleted before it ran.
    if (born === undefined || (after !== undefined && isWaiting(after))) return
    this.#waits.push(this.#clock.monotonic() - born)
    this.#born.delete(uid)
  }

  #workload(pod: Pod): Counts {
    const name = podWorkload(pod)
    let counts = this.#workloads.get(name)
    if (counts === undefined) {
      counts = { pods: 0, disruptions: 0 }
      this.#workloads.set(name, counts)
    }
    return counts
  }
}
