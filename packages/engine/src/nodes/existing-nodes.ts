import { floatAt, intAt } from '../column.ts'
import type { DeviceAllocation } from '../devices/device-allocation.ts'
import type { BatchPod, EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { HostPort } from '../model/host-port.ts'
import { hostOfNode, NO_NODE, type NodeId } from '../model/ids.ts'
import type { VolumeUse } from '../model/volume-use.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { TopologyCounts } from '../topology/topology-counts.ts'
import { type AdmittedNodes, BLOCK_SHIFT, fits, REGION_SHIFT } from './blocks.ts'
import type { NodeTable } from './node-table.ts'
import type { NodesWithCapacity } from './nodes-with-capacity.ts'

/**
 * The nodes of a snapshot while pods are placed on them. A pod is placed on the first node, in rank order, that accepts it
 * (`docs/spec/scheduling.md#existing-nodes`).
 */
export class ExistingNodes {
  readonly size: number
  /** The pods placed in this decision, by node. */
  readonly pods = new Map<NodeId, BatchPod[]>()
  readonly #table: NodeTable
  readonly #counts: TopologyCounts
  readonly #gone: ReadonlySet<NodeId>
  readonly #free: Float64Array
  readonly #blockFree: Float64Array
  /** The host ports and volumes of placed pods, by node. */
  readonly #ports = new Map<NodeId, readonly HostPort[]>()
  readonly #volumes = new Map<NodeId, ReadonlyMap<string, ReadonlySet<string>>>()
  /** For each `Variant.fitKey`, how many nodes at the start of its list are full or removed. */
  readonly #open = new Map<number, number>()
  readonly #isBorrowed: boolean
  readonly #devices: DeviceAllocation | undefined
  #steps = 0
  #isRolledBack = false

  /**
   * If `isBorrowed` is true, the object changes the free amounts of the table itself, and the caller must restore them with `rollBack`.
   * Otherwise it works on a copy.
   */
  constructor(
    table: NodeTable,
    counts: TopologyCounts,
    gone: ReadonlySet<NodeId>,
    isBorrowed: boolean,
    devices?: DeviceAllocation,
  ) {
    this.#devices = devices
    this.size = table.nodes.length
    this.#table = table
    this.#counts = counts
    this.#gone = gone
    this.#isBorrowed = isBorrowed
    this.#free = isBorrowed ? table.free : table.free.slice()
    this.#blockFree = isBorrowed ? table.blockFree : table.blockFree.slice()
  }

  /** Restores borrowed amounts to their values before any placement. Afterwards, the nodes accept no more pods. */
  rollBack(): void {
    if (this.#isRolledBack) return
    this.#isRolledBack = true
    const { width } = this.#table
    for (const [index, placed] of this.pods) {
      for (const { equivalenceGroup } of placed) {
        for (let column = 0; column < width; column++) {
          this.#free[index * width + column] =
            floatAt(this.#free, index * width + column, 'free amounts of nodes') + floatAt(equivalenceGroup.row, column)
        }
      }
    }
  }

  takeSteps(): number {
    const steps = this.#steps
    this.#steps = 0
    return steps
  }

  /** Returns the first node that accepts the pod; -1 if there is none. */
  find(equivalenceGroup: EquivalenceGroup, variant: Variant): NodeId {
    if (this.size === 0) return NO_NODE
    if (this.#isBorrowed) return this.#findRoomy(equivalenceGroup, variant)
    const { row } = equivalenceGroup
    const { width, regionCount, regionFree } = this.#table
    const admitted = this.#table.admittedTo(variant)
    for (let region = 0; region < regionCount; region++) {
      if (!fits(row, regionFree, region * width)) continue
      const node = this.#findInRegion(region, equivalenceGroup, variant, admitted)
      if (node !== NO_NODE) return node
    }
    return NO_NODE
  }

  #findInRegion(
    region: number,
    equivalenceGroup: EquivalenceGroup,
    variant: Variant,
    { nodes, blocks }: AdmittedNodes,
  ): NodeId {
    const { row } = equivalenceGroup
    const { width, blockCount } = this.#table
    const free = this.#free
    const end = Math.min(blockCount, (region + 1) << REGION_SHIFT)
    for (let block = region << REGION_SHIFT; block < end; block++) {
      const from = intAt(blocks, block)
      const to = intAt(blocks, block + 1)
      if (from === to || !fits(row, this.#blockFree, block * width)) continue
      let isFull = true
      for (let place = from; place < to; place++) {
        this.#steps++
        const node = intAt(nodes, place) as NodeId
        if (!fits(row, free, node * width)) continue
        isFull = false
        if (!this.#gone.has(node) && this.#takes(node, equivalenceGroup, variant)) return node
      }
      if (isFull) this.#measure(block)
    }
    return NO_NODE
  }

  /**
   * Borrowed amounts never exceed those of the table, so only nodes with enough capacity in the table are tried. No capacity is released
   * during a run. So a full node at the start of a list is skipped for the rest of the run.
   */
  #findRoomy(equivalenceGroup: EquivalenceGroup, variant: Variant): NodeId {
    const roomy = this.#table.roomyFor(equivalenceGroup, variant)
    let place = this.#firstOpen(roomy, equivalenceGroup.row, variant.fitKey)
    for (;;) {
      const node = roomy.at(place)
      if (node === NO_NODE) return NO_NODE
      if (this.#isOpen(node, equivalenceGroup.row) && this.#takes(node, equivalenceGroup, variant)) return node
      place++
    }
  }

  /** Returns the index of the first node in a list that is neither removed nor full. */
  #firstOpen(roomy: NodesWithCapacity, row: Float64Array, fitKey: number): number {
    const known = this.#open.get(fitKey) ?? 0
    let place = known
    for (let node = roomy.at(place); node !== NO_NODE && !this.#isOpen(node, row); node = roomy.at(place)) place++
    if (place > known) this.#open.set(fitKey, place)
    return place
  }

  #isOpen(node: NodeId, row: Float64Array): boolean {
    this.#steps++
    return fits(row, this.#free, node * this.#table.width) && !this.#gone.has(node)
  }

  /** Returns whether one node accepts the pod. */
  accepts(node: NodeId, equivalenceGroup: EquivalenceGroup, variant: Variant): boolean {
    if (this.#gone.has(node) || !fits(equivalenceGroup.row, this.#free, node * this.#table.width)) return false
    return isAmong(this.#table.admittedTo(variant).nodes, node) && this.#takes(node, equivalenceGroup, variant)
  }

  /** Recomputes the largest free amounts of a block. */
  #measure(block: number): void {
    const { width } = this.#table
    const first = block << BLOCK_SHIFT
    const last = Math.min(this.size, first + (1 << BLOCK_SHIFT))
    for (let column = 0; column < width; column++) {
      let largest = Number.NEGATIVE_INFINITY
      for (let node = first; node < last; node++)
        largest = Math.max(largest, floatAt(this.#free, node * width + column, 'free amounts of nodes'))
      this.#blockFree[block * width + column] = largest
    }
  }

  #takes(index: NodeId, equivalenceGroup: EquivalenceGroup, variant: Variant): boolean {
    const node = this.#table.nodes[index]
    if (node === undefined) return false
    if (equivalenceGroup.avoidsSettling && node.state.underConsolidateAfter === true) return false
    if (equivalenceGroup.ports.length > 0 && this.#hasPortConflict(index, node, equivalenceGroup.ports)) return false
    if (equivalenceGroup.volumes.length > 0 && !this.#attaches(index, node, equivalenceGroup.volumes)) return false
    const { volumeAlternatives } = equivalenceGroup
    if (volumeAlternatives.length > 0 && !volumeAlternatives.some((wanted) => node.requirements.accepts(wanted))) {
      return false
    }
    if (
      !this.#counts.allowsHost(variant, equivalenceGroup, hostOfNode(index)) ||
      !this.#counts.allowsNode(variant, equivalenceGroup, node)
    ) {
      return false
    }
    return equivalenceGroup.devices === undefined || this.#devices?.fitsNode(index, equivalenceGroup.devices) === true
  }

  #attaches(index: NodeId, node: ExistingNode, volumes: readonly VolumeUse[]): boolean {
    if (node.volumeLimits === undefined) return true
    const attached = this.#volumes.get(index) ?? node.volumes
    for (const [driver, limit] of node.volumeLimits) {
      const own = attached?.get(driver)
      const more = new Set(volumes.filter((volume) => volume.driver === driver).map(({ claim }) => claim))
      if (own !== undefined) for (const claim of own) more.add(claim)
      if (more.size > limit) return false
    }
    return true
  }

  #hasPortConflict(index: NodeId, node: ExistingNode, ports: readonly HostPort[]): boolean {
    return portsConflict(ports, node.ports) || portsConflict(ports, this.#ports.get(index) ?? [])
  }

  place(index: NodeId, pod: BatchPod): void {
    const { equivalenceGroup } = pod
    const node = this.#table.nodes[index]
    if (node === undefined) return
    const placed = this.pods.get(index)
    if (placed === undefined) this.pods.set(index, [pod])
    else placed.push(pod)
    const { width } = this.#table
    const start = index * width
    for (let column = 0; column < width; column++) {
      this.#free[start + column] =
        floatAt(this.#free, start + column, 'free amounts of nodes') - floatAt(equivalenceGroup.row, column)
    }
    if (equivalenceGroup.ports.length > 0)
      this.#ports.set(index, [...(this.#ports.get(index) ?? []), ...equivalenceGroup.ports])
    if (equivalenceGroup.volumes.length > 0) {
      this.#volumes.set(index, withVolumes(this.#volumes.get(index) ?? node.volumes, equivalenceGroup.volumes))
    }
    if (equivalenceGroup.devices !== undefined) this.#devices?.commit(hostOfNode(index), undefined)
    this.#counts.recordOnNode(equivalenceGroup, hostOfNode(index), node)
  }
}

/** Returns whether a sorted list contains a number. */
const isAmong = (sorted: Int32Array, number: number): boolean => {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (intAt(sorted, middle) < number) from = middle + 1
    else to = middle
  }
  return sorted[from] === number
}

const withVolumes = (
  attached: ReadonlyMap<string, ReadonlySet<string>>,
  volumes: readonly VolumeUse[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>()
  for (const [driver, claims] of attached) all.set(driver, new Set(claims))
  for (const { driver, claim } of volumes) {
    const claims = all.get(driver)
    if (claims === undefined) all.set(driver, new Set([claim]))
    else claims.add(claim)
  }
  return all
}
