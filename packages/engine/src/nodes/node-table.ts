import type { Taint } from '@kerf/apis'
import { floatAt } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { NodeId, RequirementsId, TolerationsId } from '../model/ids.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import { type AdmittedNodes, BLOCK_SHIFT, type FreeAmounts, fits, REGION_SHIFT } from './blocks.ts'
import { NodesWithCapacity } from './nodes-with-capacity.ts'

/** The data about a snapshot's nodes that all what-ifs share: their free capacity as rows, and the nodes that each variant allows. */
export class NodeTable implements FreeAmounts {
  readonly nodes: readonly ExistingNode[]
  readonly width: number
  readonly blockCount: number
  readonly free: Float64Array
  readonly blockFree: Float64Array
  readonly regionFree: Float64Array
  readonly regionCount: number
  readonly #admits: (tolerations: TolerationsId, taints: readonly Taint[], pool: string | undefined) => boolean
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #admitted = new Map<RequirementsId, Map<TolerationsId, AdmittedNodes>>()
  /** The amounts before any placement. A run borrows `free` and changes it, until `rollBack` restores it. */
  readonly #untouched: FreeAmounts
  /** The nodes that have enough capacity, by `Variant.fitKey`. */
  readonly #roomy: NodesWithCapacity[] = []

  constructor(
    nodes: readonly ExistingNode[],
    table: ResourceTable,
    constraintsTable: ClaimConstraintsTable,
    admits: (tolerations: TolerationsId, taints: readonly Taint[], pool: string | undefined) => boolean,
  ) {
    this.nodes = nodes
    this.width = table.width
    this.#constraintsTable = constraintsTable
    this.#admits = admits
    this.blockCount = (nodes.length + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT
    this.free = new Float64Array(nodes.length * table.width)
    this.blockFree = new Float64Array(this.blockCount * table.width).fill(Number.NEGATIVE_INFINITY)
    this.regionCount = (this.blockCount + (1 << REGION_SHIFT) - 1) >> REGION_SHIFT
    for (const [index, { free }] of nodes.entries()) {
      const row = table.availableRow(free)
      this.free.set(row, index * table.width)
      const block = (index >> BLOCK_SHIFT) * table.width
      for (let column = 0; column < table.width; column++) {
        this.blockFree[block + column] = Math.max(
          floatAt(this.blockFree, block + column, 'free amounts of blocks'),
          floatAt(row, column),
        )
      }
    }
    this.regionFree = this.#largestOfRegions()
    const { width, blockCount, blockFree, regionFree } = this
    this.#untouched = { width, blockCount, blockFree, regionFree, free: this.free.slice() }
  }

  #largestOfRegions(): Float64Array {
    const { width } = this
    const largest = new Float64Array(this.regionCount * width).fill(Number.NEGATIVE_INFINITY)
    for (let block = 0; block < this.blockCount; block++) {
      const region = (block >> REGION_SHIFT) * width
      for (let column = 0; column < width; column++) {
        const free = floatAt(this.blockFree, block * width + column, 'free amounts of blocks')
        largest[region + column] = Math.max(floatAt(largest, region + column, 'free amounts of regions'), free)
      }
    }
    return largest
  }

  /**
   * Returns the nodes that have enough capacity for a pod with this fit key before any pod is placed. Only for runs that borrow the table's
   * amounts.
   */
  roomyFor({ row }: EquivalenceGroup, variant: Variant): NodesWithCapacity {
    let roomy = this.#roomy[variant.fitKey]
    if (roomy === undefined) {
      roomy = new NodesWithCapacity(this.#untouched, row, this.admittedTo(variant))
      this.#roomy[variant.fitKey] = roomy
    }
    return roomy
  }

  /** Returns whether a node has enough capacity for one pod with these requests before any pod is placed. */
  hasCapacityFor(node: NodeId, row: Float64Array): boolean {
    return fits(row, this.#untouched.free, node * this.width)
  }

  admittedTo({ requirements, tolerations }: Variant): AdmittedNodes {
    let byTolerations = this.#admitted.get(requirements)
    if (byTolerations === undefined) {
      byTolerations = new Map()
      this.#admitted.set(requirements, byTolerations)
    }
    let admitted = byTolerations.get(tolerations)
    if (admitted === undefined) {
      admitted = this.#admit(requirements, tolerations)
      byTolerations.set(tolerations, admitted)
    }
    return admitted
  }

  #admit(requirements: RequirementsId, tolerations: TolerationsId): AdmittedNodes {
    const wanted = this.#constraintsTable.requirementSet(requirements)
    const found: number[] = []
    const blocks = new Int32Array(this.blockCount + 1)
    for (const [index, node] of this.nodes.entries()) {
      if ((index & ((1 << BLOCK_SHIFT) - 1)) === 0) blocks[index >> BLOCK_SHIFT] = found.length
      if (node.state.markedForDeletion || node.state.takesNoPods === true || node.isOverfull) continue
      if (!this.#admits(tolerations, node.taints, node.state.nodePool)) continue
      if (node.requirements.accepts(wanted)) found.push(index)
    }
    blocks[this.blockCount] = found.length
    return { nodes: Int32Array.from(found), blocks }
  }
}
