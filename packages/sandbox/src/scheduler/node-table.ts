import type { Node, Pod } from '@kerf/apis'
import type { HostPort } from './host-ports.ts'
import type { PodClass } from './pod-class.ts'
import { type ResourceNames, schedulerAmount } from './quantities.ts'

/** A volume that a placed pod uses on its node. */
export interface VolumeUse {
  readonly driver: string
  readonly id: string
}

/** A pod on a node. It is bound, or about to be bound. */
export interface PlacedPod {
  readonly uid: string
  pod: Pod
  class: PodClass
  volumes: readonly VolumeUse[]
}

/** The resources that are reserved for a nominated pod. Pods of lower or equal priority must leave them free. */
export interface Promised {
  readonly priority: number
  readonly requests: PodClass['requests']
  readonly ports: readonly HostPort[]
}

/** A node and the resources used on it. */
export interface NodeRow {
  readonly index: number
  readonly name: string
  /** Undefined if only the pods of the row are known, because the node was deleted or has not been seen yet. */
  node: Node | undefined
  allocatable: number[]
  allowedPods: number
  requested: number[]
  scoringCpu: number
  scoringMemory: number
  readonly pods: Map<string, PlacedPod>
  /** Nominated pods by uid. */
  readonly promised: Map<string, Promised>
  ports: HostPort[]
}

/** A listener for pods that are placed or removed. Used to maintain counts per domain. */
export interface PlacementListener {
  /** If `by` is 1, the pod was added to the row. If `by` is -1, it was removed. */
  placed(row: NodeRow, pod: PlacedPod, by: 1 | -1): void
  /** The row's node was added or deleted, or its labels or taints changed. During this call, the counts exclude the node's pods. */
  nodeChanged(row: NodeRow, before: Node | undefined): void
}

/**
 * The scheduler's view of the nodes, which is updated incrementally. Rows have consecutive indexes. A log contains every changed row, so
 * that values per row need to be recomputed for these rows only.
 */
export class NodeTable {
  readonly rows: NodeRow[] = []
  readonly #names: ResourceNames
  readonly #byName = new Map<string, NodeRow>()
  readonly #rowOfPod = new Map<string, NodeRow>()
  readonly #rowOfPromise = new Map<string, NodeRow>()
  readonly #free: number[] = []
  readonly #listeners: PlacementListener[] = []
  #log: number[] = []
  #logStart = 0
  #nodes = 0

  constructor(names: ResourceNames) {
    this.#names = names
  }

  listen(listener: PlacementListener): void {
    this.#listeners.push(listener)
  }

  /** The number of nodes. */
  get size(): number {
    return this.#nodes
  }

  /** The position after the last change in the log. */
  get version(): number {
    return this.#logStart + this.#log.length
  }

  /**
   * Returns the rows that changed since `version`, possibly with duplicates. Returns `undefined` if the log of changes does not go
   * back that far.
   */
  changedSince(version: number): readonly number[] | undefined {
    return version < this.#logStart ? undefined : this.#log.slice(version - this.#logStart)
  }

  row(name: string): NodeRow | undefined {
    return this.#byName.get(name)
  }

  rowOf(uid: string): NodeRow | undefined {
    return this.#rowOfPod.get(uid)
  }

  setNode(node: Node): void {
    const row = this.#rowNamed(node.metadata.name)
    const before = row.node
    if (before === undefined) this.#nodes++
    this.#around(row, before, () => {
      row.node = node
      row.allocatable = this.#names.vector(node.status?.allocatable)
      row.allowedPods = schedulerAmount('pods', node.status?.allocatable?.pods ?? 0)
    })
  }

  removeNode(name: string): void {
    const row = this.#byName.get(name)
    if (row?.node === undefined) return
    const before = row.node
    this.#nodes--
    this.#around(row, before, () => {
      row.node = undefined
      row.allocatable = []
      row.allowedPods = 0
    })
    this.#release(row)
  }

  /**
   * Reserves resources for a waiting pod that is nominated for a node, which might not exist yet. Returns whether this releases resources
   * that were reserved on another node.
   */
  promise(uid: string, nodeName: string, { sample, requests, ports }: PodClass): boolean {
    if (this.#rowOfPromise.get(uid)?.name === nodeName) return false
    const isMoved = this.withdraw(uid)
    const row = this.#rowNamed(nodeName)
    row.promised.set(uid, { priority: sample.spec.priority ?? 0, requests, ports })
    this.#rowOfPromise.set(uid, row)
    this.#changed(row)
    return isMoved
  }

  /** Removes the pod's nomination. Returns whether there was one. */
  withdraw(uid: string): boolean {
    const row = this.#rowOfPromise.get(uid)
    if (row === undefined) return false
    this.#rowOfPromise.delete(uid)
    row.promised.delete(uid)
    this.#changed(row)
    this.#release(row)
    return true
  }

  place(nodeName: string, placed: PlacedPod): void {
    this.remove(placed.uid)
    this.withdraw(placed.uid)
    const row = this.#rowNamed(nodeName)
    row.pods.set(placed.uid, placed)
    this.#rowOfPod.set(placed.uid, row)
    this.#take(row, placed, 1)
    for (const listener of this.#listeners) listener.placed(row, placed, 1)
    this.#changed(row)
  }

  remove(uid: string): PlacedPod | undefined {
    const row = this.#rowOfPod.get(uid)
    const placed = row?.pods.get(uid)
    if (row === undefined || placed === undefined) return undefined
    row.pods.delete(uid)
    this.#rowOfPod.delete(uid)
    this.#take(row, placed, -1)
    for (const listener of this.#listeners) listener.placed(row, placed, -1)
    this.#changed(row)
    this.#release(row)
    return placed
  }

  placedPods(): Iterable<[NodeRow, PlacedPod]> {
    return this.rows.values().flatMap((row) => row.pods.values().map((pod): [NodeRow, PlacedPod] => [row, pod]))
  }

  #take(row: NodeRow, placed: PlacedPod, sign: 1 | -1): void {
    const { requests, ports } = placed.class
    while (row.requested.length < requests.amounts.length) row.requested.push(0)
    for (let index = 0; index < requests.amounts.length; index++) {
      row.requested[index] = (row.requested[index] ?? 0) + sign * (requests.amounts[index] ?? 0)
    }
    row.scoringCpu += sign * requests.scoringCpu
    row.scoringMemory += sign * requests.scoringMemory
    if (ports.length > 0)
      row.ports = row.pods
        .values()
        .flatMap((pod) => pod.class.ports)
        .toArray()
  }

  /** Removes the row's pods from the counts while its node changes, and then adds them again, because their domains may differ. */
  #around(row: NodeRow, before: Node | undefined, change: () => void): void {
    for (const listener of this.#listeners) for (const pod of row.pods.values()) listener.placed(row, pod, -1)
    change()
    for (const listener of this.#listeners) {
      listener.nodeChanged(row, before)
      for (const pod of row.pods.values()) listener.placed(row, pod, 1)
    }
    this.#changed(row)
  }

  #rowNamed(name: string): NodeRow {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const row: NodeRow = {
      index: this.#free.pop() ?? this.rows.length,
      name,
      node: undefined,
      allocatable: [],
      allowedPods: 0,
      requested: [],
      scoringCpu: 0,
      scoringMemory: 0,
      pods: new Map(),
      promised: new Map(),
      ports: [],
    }
    this.rows[row.index] = row
    this.#byName.set(name, row)
    return row
  }

  #release(row: NodeRow): void {
    if (row.node !== undefined || row.pods.size > 0 || row.promised.size > 0) return
    this.#byName.delete(row.name)
    this.#free.push(row.index)
  }

  #changed(row: NodeRow): void {
    this.#log.push(row.index)
    const keep = Math.max(4096, this.rows.length * 4)
    if (this.#log.length > keep * 2) {
      this.#logStart += this.#log.length - keep
      this.#log = this.#log.slice(-keep)
    }
  }
}
