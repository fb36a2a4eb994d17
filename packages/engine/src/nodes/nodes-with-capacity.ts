import { intAt } from '../column.ts'
import { NO_NODE, type NodeId } from '../model/ids.ts'
import { type AdmittedNodes, type FreeAmounts, fits, REGION_SHIFT } from './blocks.ts'

/**
 * The nodes that allow pods with one fit key (`Variant.fitKey`) and have enough capacity for one of them before any pod is placed, in rank
 * order. The list grows only as far as a search reads it, because most what-ifs about a snapshot end at the same few nodes.
 */
export class NodesWithCapacity {
  readonly #amounts: FreeAmounts
  readonly #row: Float64Array
  readonly #admitted: AdmittedNodes
  readonly #found: NodeId[] = []
  /** The index among the admitted nodes at which the search continues. */
  #place = 0
  #block = 0

  constructor(amounts: FreeAmounts, row: Float64Array, admitted: AdmittedNodes) {
    this.#amounts = amounts
    this.#row = row
    this.#admitted = admitted
  }

  /** Returns the node at this index of the list; `NO_NODE` after the end. */
  at(place: number): NodeId {
    while (place >= this.#found.length) if (!this.#lookOn()) return NO_NODE
    return this.#found[place] ?? NO_NODE
  }

  /** Adds the next node to the list. Returns false if there are no more nodes. */
  #lookOn(): boolean {
    const { width, blockCount, blockFree, regionFree, free } = this.#amounts
    const { nodes, blocks } = this.#admitted
    while (this.#block < blockCount) {
      const region = this.#block >> REGION_SHIFT
      if (!fits(this.#row, regionFree, region * width)) {
        this.#block = (region + 1) << REGION_SHIFT
        continue
      }
      const end = intAt(blocks, this.#block + 1)
      if (fits(this.#row, blockFree, this.#block * width)) {
        for (let place = Math.max(this.#place, intAt(blocks, this.#block)); place < end; place++) {
          const node = intAt(nodes, place) as NodeId
          if (!fits(this.#row, free, node * width)) continue
          this.#found.push(node)
          this.#place = place + 1
          return true
        }
      }
      this.#block++
    }
    return false
  }
}
