import type { Namespace, Node, PersistentVolumeClaim, Pod, ResourceKind } from '@kerf/apis'
import { kinds } from '@kerf/apis'
import {
  type Change,
  type Controller,
  done,
  type Informer,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../workloads/context.ts'
import { keyOf, namespacedRefOf } from '../workloads/object-key.ts'
import { isTerminal } from '../workloads/pod-state.ts'
import { same } from '../workloads/same.ts'
import { Announcer } from './announcer.ts'
import { ClassPlacement } from './class-placement.ts'
import { Devices } from './devices.ts'
import { DomainCounts } from './domain-counts.ts'
import { NodeTable, type PlacedPod } from './node-table.ts'
import { type ClassQueue, firstOf, type PendingPod, PendingQueue, Round } from './pending-queue.ts'
import { type PodClass, PodClasses } from './pod-class.ts'
import { lookedAtBy } from './pod-terms.ts'
import { ResourceNames } from './quantities.ts'
import { ExistingAntiAffinity, TopologyConstraints } from './topology-constraints.ts'
import { SELECTED_NODE, type VolumeCheck, Volumes } from './volumes.ts'

export const DEFAULT_SCHEDULER = 'default-scheduler'

const NO_VOLUMES: VolumeCheck = { kind: 'per-node', unbound: [], uses: [], against: () => undefined }

/** A pod whose node is chosen and whose volumes are being made there. */
interface Reservation {
  readonly pending: PendingPod
  readonly podClass: PodClass
  readonly nodeName: string
}

/**
 * Binds pods to nodes as the default scheduler does: the same filters in the same order, the same messages; scores by
 * free resources and preferences, ties by the order of nodes; room that a pod is nominated for is kept for it. It never
 * preempts.
 */
export class Scheduler implements Controller {
  readonly name = 'scheduler'
  readonly concurrency = 1
  readonly singleton = true
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #names = new ResourceNames()
  readonly #table = new NodeTable(this.#names)
  readonly #classes = new PodClasses(this.#names)
  readonly #counts = new DomainCounts(this.#table)
  readonly #holders: ExistingAntiAffinity
  readonly #volumes: Volumes
  readonly #devices: Devices
  readonly #announcer: Announcer
  readonly #queue = new PendingQueue()
  readonly #reserved = new Map<string, Reservation>()
  /** Claims whose choice of node has reached the mirror. */
  readonly #selectedSeen = new Set<string>()
  readonly #namespaces: Informer<Namespace>
  #outdated = false
  #wake = true
  #attempts = 0
  /** Changes that matter to waiting pods and do not show in the table of nodes. */
  #changes = 0

  constructor(context: ClusterContext) {
    this.#context = context
    const { informers } = context
    this.#namespaces = informers.of(kinds.Namespace)
    this.#holders = new ExistingAntiAffinity(this.#counts, (name) => this.#namespaceLabels(name))
    this.#volumes = new Volumes(informers)
    this.#devices = new Devices(informers, context.client)
    this.#announcer = new Announcer(context)
    informers.of(kinds.Node).onChange((change) => this.#onNode(change))
    informers.of(kinds.Pod).onChange((change) => this.#onPod(change))
    this.#namespaces.onChange(({ before, after }) => {
      if (!same(before?.metadata.labels, after?.metadata.labels)) this.#outdated = true
    })
    informers.of(kinds.PersistentVolumeClaim).onChange((change) => this.#onClaim(change))
    const storage: readonly ResourceKind[] = [
      kinds.PersistentVolume,
      kinds.StorageClass,
      kinds.CSINode,
      kinds.ResourceSlice,
      kinds.ResourceClaim,
      kinds.DeviceClass,
    ]
    for (const kind of storage) {
      informers.of(kind).onChange(() => this.#onStorage())
    }
    const watched: readonly ResourceKind[] = [
      kinds.Node,
      kinds.Pod,
      kinds.Namespace,
      kinds.PersistentVolumeClaim,
      ...storage,
    ]
    const whenNeeded = (): Key[] => (this.#wake || this.#outdated ? [''] : [])
    this.sources = watched.map((kind) => ({ informer: informers.of(kind), keysOf: whenNeeded }))
  }

  /** How many pods wait for a node. */
  get pending(): number {
    return this.#queue.size
  }

  /** How often a node was looked for; the load test counts these. */
  get attempts(): number {
    return this.#attempts
  }

  async reconcile(_key: Key, signal: AbortSignal): Promise<Outcome> {
    this.#wake = false
    if (this.#outdated) this.#sortAnew()
    await this.#bindReserved(signal)
    let failures = 0
    const failed = new Set<ClassQueue>()
    for (let again = true; again && !signal.aborted; ) {
      again = false
      failed.clear()
      if (this.#outdated) this.#sortAnew()
      const round = new Round(this.#queue.queues)
      // A pod that arrives meanwhile may make every class outdated: then the round is begun anew.
      for (let queue = round.pop(); queue !== undefined && !this.#outdated && !signal.aborted; queue = round.pop()) {
        const result = await this.#next(queue, signal)
        if (result === 'bound') again = true
        if (result === 'error') failures++
        if (result === 'bound') round.push(queue)
        if (result === 'nowhere') failed.add(queue)
      }
      // A pod placed in this round may be the neighbour that a failed class waits for, or may have moved a skew.
      again = this.#outdated || (again && failed.values().some((queue) => queue.placement?.isConstrained ?? false))
    }
    const refresh = await this.#announcer.announce(
      failed,
      { message: (queue) => this.#message(queue), state: this.#table.version + this.#changes },
      signal,
    )
    if (failures > 0) return retryAfter(1000)
    return refresh === undefined ? done() : retryAfter(refresh)
  }

  async #next(queue: ClassQueue, signal: AbortSignal): Promise<'bound' | 'nowhere' | 'error' | 'empty'> {
    const pending = firstOf(queue)
    if (pending === undefined) return 'empty'
    const placement = this.#placementOf(queue)
    const volumes = this.#volumesOf(queue.podClass)
    this.#attempts++
    const choice = placement.choose(volumes, pending.pod.status?.nominatedNodeName, pending.uid)
    if (choice.kind === 'nowhere') return 'nowhere'
    const reservation: Reservation = { pending, podClass: queue.podClass, nodeName: choice.row.name }
    this.#queue.remove(pending.uid)
    this.#table.place(choice.row.name, this.#placed(pending.pod, queue.podClass))
    try {
      if (queue.podClass.usesDevices && choice.row.node !== undefined) {
        await this.#devices.reserve(pending.pod, choice.row.node)
      }
      if (volumes.kind === 'per-node' && volumes.unbound.length > 0) {
        this.#reserved.set(pending.uid, reservation)
        for (const claim of volumes.unbound) await this.#selectNode(claim, choice.row.name)
        return 'bound'
      }
      await this.#bind(reservation, signal)
      return 'bound'
    } catch (error) {
      this.#giveBack(reservation)
      this.#context.logger.warn('pod could not be bound', {
        pod: keyOf(pending.pod),
        node: choice.row.name,
        error: error instanceof Error ? error.message : String(error),
      })
      return 'error'
    }
  }

  /** Binds; a pod that is gone or bound by somebody else is no error once the mirror shows it. */
  async #bind({ pending, nodeName }: Reservation, signal: AbortSignal): Promise<void> {
    const ref = namespacedRefOf(keyOf(pending.pod))
    try {
      await this.#context.client.bind(ref, nodeName, { signal })
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
      const { after } = this.#mirrored(pending.pod)
      // The mirror lags behind whatever made the server refuse; look again when it has caught up.
      if (after !== undefined && !after.spec.nodeName && this.#awaitsUs(after)) throw error
      this.#table.remove(pending.uid)
      if (after !== undefined) this.#onPod({ after })
      return
    }
    this.#announcer.say(
      pending.pod,
      'Normal',
      'Scheduled',
      `Successfully assigned ${ref.namespace}/${ref.name} to ${nodeName}`,
    )
  }

  #mirrored(pod: Pod): Change<Pod> {
    const after = this.#context.informers.of(kinds.Pod).get(keyOf(pod))
    return after === undefined || after.metadata.uid !== pod.metadata.uid ? {} : { after }
  }

  async #selectNode(claim: PersistentVolumeClaim, nodeName: string): Promise<void> {
    if (claim.metadata.annotations?.[SELECTED_NODE] === nodeName) return
    const body = { metadata: { annotations: { [SELECTED_NODE]: nodeName } } }
    await this.#context.client.patch(kinds.PersistentVolumeClaim, namespacedRefOf(keyOf(claim)), {
      type: 'merge',
      body,
    })
  }

  /** Binds what waited for its volumes; a claim whose provisioner gave the node back sends its pod to the queue again. */
  async #bindReserved(signal: AbortSignal): Promise<void> {
    for (const reservation of [...this.#reserved.values()]) {
      const check = this.#volumesOf(reservation.podClass)
      if (check.kind === 'per-node' && check.unbound.length === 0) {
        this.#reserved.delete(reservation.pending.uid)
        try {
          await this.#bind(reservation, signal)
        } catch {
          this.#giveBack(reservation)
        }
        continue
      }
      const kept =
        check.kind === 'per-node' &&
        this.#table.row(reservation.nodeName)?.node !== undefined &&
        check.unbound.every((claim) => this.#selectedOrUnseen(claim, reservation.nodeName))
      if (!kept) {
        this.#reserved.delete(reservation.pending.uid)
        this.#giveBack(reservation)
      }
    }
  }

  /** The annotation reaches the mirror a moment after it was written; only its disappearance means a refusal. */
  #selectedOrUnseen(claim: PersistentVolumeClaim, nodeName: string): boolean {
    const uid = claim.metadata.uid ?? ''
    if (claim.metadata.annotations?.[SELECTED_NODE] === nodeName) {
      this.#selectedSeen.add(uid)
      return true
    }
    return !this.#selectedSeen.delete(uid)
  }

  #giveBack({ pending, podClass }: Reservation): void {
    this.#table.remove(pending.uid)
    if (this.#mirrored(pending.pod).after === undefined) return
    this.#queue.put(pending.uid, pending.pod, podClass)
    this.#wake = true
  }

  #message(queue: ClassQueue): string {
    const total = this.#table.size
    if (total === 0) return 'no nodes available to schedule pods'
    const volumes = this.#volumesOf(queue.podClass)
    if (volumes.kind === 'refused') return `0/${total} nodes are available: ${volumes.message}.`
    const counts = this.#placementOf(queue).reasons(volumes)
    const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort()
    return `0/${total} nodes are available: ${parts.join(', ')}.`
  }

  #placementOf(queue: ClassQueue): ClassPlacement {
    queue.placement ??= new ClassPlacement(
      queue.podClass,
      this.#table,
      this.#names,
      new TopologyConstraints(queue.podClass, this.#counts, (name) => this.#namespaceLabels(name), this.#holders),
    )
    return queue.placement
  }

  #volumesOf(podClass: PodClass): VolumeCheck {
    const volumes = podClass.claims.length === 0 ? NO_VOLUMES : this.#volumes.check(podClass)
    return podClass.usesDevices ? this.#devices.check(podClass.sample, volumes) : volumes
  }

  #namespaceLabels(name: string): Readonly<Record<string, string>> | undefined {
    return this.#namespaces.get(name)?.metadata.labels
  }

  #placed(pod: Pod, podClass: PodClass): PlacedPod {
    this.#holders.note(podClass)
    const volumes = podClass.claims.length === 0 ? [] : this.#volumes.uses(podClass)
    return { uid: pod.metadata.uid ?? '', pod, class: podClass, volumes }
  }

  #onNode({ before, after }: Change<Node>): void {
    if (after === undefined) {
      this.#table.removeNode(before?.metadata.name ?? '')
      this.#wake = true
      return
    }
    if (before !== undefined && sameForScheduling(before, after)) return
    this.#table.setNode(after)
    this.#wake = true
  }

  #onPod({ before, after }: Change<Pod>): void {
    if (before !== undefined && before.metadata.uid !== after?.metadata.uid) this.#forget(before)
    if (after === undefined) return
    const uid = after.metadata.uid ?? ''
    if (isTerminal(after)) {
      this.#forget(after)
      return
    }
    if (this.#classes.look(lookedAtBy(after))) this.#outdated = true
    if (after.spec.nodeName) this.#onBoundPod(uid, after)
    else if (this.#awaitsUs(after)) this.#onWaitingPod(uid, after)
    else this.#queue.remove(uid)
  }

  #onBoundPod(uid: string, pod: Pod): void {
    this.#queue.remove(uid)
    this.#reserved.delete(uid)
    const row = this.#table.rowOf(uid)
    const placed = row?.pods.get(uid)
    const sameCounts =
      placed !== undefined &&
      row?.name === pod.spec.nodeName &&
      (placed.pod.metadata.deletionTimestamp === undefined) === (pod.metadata.deletionTimestamp === undefined) &&
      placed.class.claims.length === 0 &&
      sameForCounting(placed.pod, pod)
    if (sameCounts && placed !== undefined) {
      placed.pod = pod
      return
    }
    this.#table.place(pod.spec.nodeName ?? '', this.#placed(pod, this.#classes.of(pod)))
    if (placed !== undefined) this.#wake = true
  }

  #onWaitingPod(uid: string, pod: Pod): void {
    // The mirror may still show a pod as waiting that we have just placed.
    if (this.#table.rowOf(uid) !== undefined) return
    this.#keepRoom(uid, pod)
    const present = this.#queue.get(uid)
    if (present !== undefined && sameForCounting(present.pod, pod)) {
      present.pod = pod
      return
    }
    this.#queue.put(uid, pod, this.#classes.of(pod))
    this.#wake = true
  }

  /** A nominated pod's room is kept free, on its node only. */
  #keepRoom(uid: string, pod: Pod): void {
    const nominated = pod.status?.nominatedNodeName ?? ''
    const givesFree =
      nominated === '' ? this.#table.withdraw(uid) : this.#table.promise(uid, nominated, this.#classes.of(pod))
    if (givesFree) this.#wake = true
  }

  #awaitsUs(pod: Pod): boolean {
    return (
      (pod.spec.schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER &&
      (pod.spec.schedulingGates ?? []).length === 0 &&
      pod.metadata.deletionTimestamp === undefined
    )
  }

  #forget(pod: Pod): void {
    const uid = pod.metadata.uid ?? ''
    this.#queue.remove(uid)
    this.#reserved.delete(uid)
    const isWithdrawn = this.#table.withdraw(uid)
    if (this.#table.remove(uid) !== undefined || isWithdrawn) this.#wake = true
  }

  #onClaim({ before, after }: Change<PersistentVolumeClaim>): void {
    if (after === undefined) this.#selectedSeen.delete(before?.metadata.uid ?? '')
    this.#onStorage()
  }

  #onStorage(): void {
    this.#changes++
    this.#wake = true
  }

  /** A selector began to look at another label, or a namespace changed: classes and counts are made again. */
  #sortAnew(): void {
    this.#outdated = false
    this.#classes.clear()
    this.#counts.clear()
    this.#holders.clear()
    for (const [, placed] of this.#table.placedPods()) {
      placed.class = this.#classes.of(placed.pod)
      this.#holders.note(placed.class)
    }
    for (const pending of this.#queue.drain()) {
      this.#queue.put(pending.uid, pending.pod, this.#classes.of(pending.pod))
      const anew = this.#queue.get(pending.uid)
      if (anew !== undefined) anew.announced = pending.announced
    }
  }
}

const sameForScheduling = (a: Node, b: Node): boolean =>
  same(a.metadata.labels, b.metadata.labels) &&
  same(a.spec, b.spec) &&
  same(a.status?.allocatable, b.status?.allocatable)

/** Whether two states of a pod count alike. Specs are immutable but for gates, resources and tolerations. */
const sameForCounting = (a: Pod, b: Pod): boolean =>
  (a.spec === b.spec || same(a.spec, b.spec)) &&
  same(a.metadata.labels, b.metadata.labels) &&
  same(a.status?.resourceClaimStatuses, b.status?.resourceClaimStatuses) &&
  resizeStatus(a) === resizeStatus(b)

const resizeStatus = (pod: Pod): string => {
  let text = ''
  for (const status of pod.status?.containerStatuses ?? []) {
    if (status.resources !== undefined)
      text += JSON.stringify([status.name, status.resources, status.allocatedResources])
  }
  return text
}
