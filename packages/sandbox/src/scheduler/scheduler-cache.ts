import {
  isTerminal,
  kinds,
  type Namespace,
  type Node,
  type PersistentVolumeClaim,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { type Change, type Informer, informerKey } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { same } from '../objects/same.ts'
import { ClassPlacement } from './class-placement.ts'
import { Devices } from './devices.ts'
import { DomainCounts } from './domain-counts.ts'
import { NodeTable, type PlacedPod } from './node-table.ts'
import { type ClassQueue, PendingQueue } from './pending-queue.ts'
import { type PodClass, PodClasses } from './pod-class.ts'
import { lookedAtBy } from './pod-terms.ts'
import { ResourceNames } from './quantities.ts'
import { sameForCounting, sameForScheduling } from './same-for-scheduling.ts'
import { ExistingAntiAffinity, TopologyConstraints } from './topology-constraints.ts'
import { VolumeReservations } from './volume-reservations.ts'
import { type VolumeCheck, Volumes } from './volumes.ts'

const DEFAULT_SCHEDULER = 'default-scheduler'

const NO_VOLUMES: VolumeCheck = { kind: 'per-node', unbound: [], uses: [], against: () => undefined }

const STORAGE: readonly ResourceKind[] = [
  kinds.PersistentVolume,
  kinds.StorageClass,
  kinds.CSINode,
  kinds.ResourceSlice,
  kinds.ResourceClaim,
  kinds.DeviceClass,
]

/** Returns whether the pod has no node and waits for the default scheduler. */
export const awaitsScheduler = (pod: Pod): boolean =>
  (pod.spec.schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER &&
  (pod.spec.schedulingGates ?? []).length === 0 &&
  pod.metadata.deletionTimestamp === undefined

/**
 * The scheduler's view of the cluster: nodes with their pods, waiting pods by pod class, and the pods' constraints. Subscribes to the
 * informers, and sets `wake` when there is work to do.
 */
export class SchedulerCache {
  /** The resource kinds that the cache watches. */
  readonly kinds: readonly ResourceKind[] = [
    kinds.Node,
    kinds.Pod,
    kinds.Namespace,
    kinds.PersistentVolumeClaim,
    ...STORAGE,
  ]
  readonly queue = new PendingQueue()
  readonly reservations = new VolumeReservations()
  readonly table: NodeTable
  readonly devices: Devices
  /** Whether anything has changed that may allow a waiting pod to be scheduled. */
  wake = true
  /** Whether pod classes must be rebuilt with `sortAnew`. */
  isOutdated = false
  /** The number of changes that affect waiting pods but do not appear in the node table. */
  changes = 0
  readonly #names = new ResourceNames()
  readonly #classes = new PodClasses(this.#names)
  readonly #counts: DomainCounts
  readonly #holders: ExistingAntiAffinity
  readonly #volumes: Volumes
  readonly #namespaces: Informer<Namespace>
  readonly #pods: Informer<Pod>

  constructor({ informers, client }: ClusterContext) {
    this.table = new NodeTable(this.#names)
    this.#counts = new DomainCounts(this.table)
    this.#namespaces = informers.of(kinds.Namespace)
    this.#pods = informers.of(kinds.Pod)
    this.#holders = new ExistingAntiAffinity(this.#counts, (name) => this.#namespaceLabels(name))
    this.#volumes = new Volumes(informers)
    this.devices = new Devices(informers, client)
    informers.of(kinds.Node).onChange((change) => this.#onNode(change))
    this.#pods.onChange((change) => this.onPod(change))
    this.#namespaces.onChange(({ before, after }) => {
      if (!same(before?.metadata.labels, after?.metadata.labels)) this.isOutdated = true
    })
    informers.of(kinds.PersistentVolumeClaim).onChange((change) => this.#onClaim(change))
    for (const kind of STORAGE) informers.of(kind).onChange(() => this.#onStorage())
  }

  /**
   * Returns the current version of the pod from the informer. Returns `undefined` if the pod is gone, even if another pod now has the same
   * name.
   */
  mirrored(pod: Pod): Pod | undefined {
    const shown = this.#pods.get(informerKey(pod))
    return shown === undefined || shown.metadata.uid !== pod.metadata.uid ? undefined : shown
  }

  placementOf(queue: ClassQueue): ClassPlacement {
    queue.placement ??= new ClassPlacement(
      queue.podClass,
      this.table,
      this.#names,
      new TopologyConstraints(queue.podClass, this.#counts, (name) => this.#namespaceLabels(name), this.#holders),
    )
    return queue.placement
  }

  volumesOf(podClass: PodClass): VolumeCheck {
    const volumes = podClass.claims.length === 0 ? NO_VOLUMES : this.#volumes.check(podClass)
    return podClass.usesDevices ? this.devices.check(podClass.sample, volumes) : volumes
  }

  #namespaceLabels(name: string): Readonly<Record<string, string>> | undefined {
    return this.#namespaces.get(name)?.metadata.labels
  }

  /** Returns the node table's entry for a pod. */
  placed(pod: Pod, podClass: PodClass): PlacedPod {
    this.#holders.note(podClass)
    const volumes = podClass.claims.length === 0 ? [] : this.#volumes.uses(podClass)
    return { uid: pod.metadata.uid ?? '', pod, class: podClass, volumes }
  }

  #onNode({ before, after }: Change<Node>): void {
    if (after === undefined) {
      this.table.removeNode(before?.metadata.name ?? '')
      this.wake = true
      return
    }
    if (before !== undefined && sameForScheduling(before, after)) return
    this.table.setNode(after)
    this.wake = true
  }

  onPod({ before, after }: Change<Pod>): void {
    if (before !== undefined && before.metadata.uid !== after?.metadata.uid) this.#forget(before)
    if (after === undefined) return
    const uid = after.metadata.uid ?? ''
    if (isTerminal(after)) {
      this.#forget(after)
      return
    }
    if (this.#classes.look(lookedAtBy(after))) this.isOutdated = true
    if (after.spec.nodeName) this.#onBoundPod(uid, after)
    else if (awaitsScheduler(after)) this.#onWaitingPod(uid, after)
    else this.queue.remove(uid)
  }

  #onBoundPod(uid: string, pod: Pod): void {
    this.queue.remove(uid)
    this.reservations.drop(uid)
    const row = this.table.rowOf(uid)
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
    this.table.place(pod.spec.nodeName ?? '', this.placed(pod, this.#classes.of(pod)))
    if (placed !== undefined) this.wake = true
  }

  #onWaitingPod(uid: string, pod: Pod): void {
    // The informer may still show a pod as waiting although this scheduler has just placed the pod.
    if (this.table.rowOf(uid) !== undefined) return
    this.#reserveCapacity(uid, pod)
    const present = this.queue.get(uid)
    if (present !== undefined && sameForCounting(present.pod, pod)) {
      present.pod = pod
      return
    }
    this.queue.put(uid, pod, this.#classes.of(pod))
    this.wake = true
  }

  /** Reserves resources for a nominated pod on its nominated node. */
  #reserveCapacity(uid: string, pod: Pod): void {
    const nominated = pod.status?.nominatedNodeName ?? ''
    const givesFree =
      nominated === '' ? this.table.withdraw(uid) : this.table.promise(uid, nominated, this.#classes.of(pod))
    if (givesFree) this.wake = true
  }

  #forget(pod: Pod): void {
    const uid = pod.metadata.uid ?? ''
    this.queue.remove(uid)
    this.reservations.drop(uid)
    const isWithdrawn = this.table.withdraw(uid)
    if (this.table.remove(uid) !== undefined || isWithdrawn) this.wake = true
  }

  #onClaim({ before, after }: Change<PersistentVolumeClaim>): void {
    if (after === undefined) this.reservations.forgetClaim(before?.metadata.uid ?? '')
    this.#onStorage()
  }

  #onStorage(): void {
    this.changes++
    this.wake = true
  }

  /** Rebuilds pod classes and counts. Needed when a selector uses a label key for the first time or a namespace has changed. */
  sortAnew(): void {
    this.isOutdated = false
    this.#classes.clear()
    this.#counts.clear()
    this.#holders.clear()
    for (const [, placed] of this.table.placedPods()) {
      placed.class = this.#classes.of(placed.pod)
      this.#holders.note(placed.class)
    }
    for (const pending of this.queue.drain()) {
      this.queue.put(pending.uid, pending.pod, this.#classes.of(pending.pod))
      const anew = this.queue.get(pending.uid)
      if (anew !== undefined) anew.announced = pending.announced
    }
  }
}
