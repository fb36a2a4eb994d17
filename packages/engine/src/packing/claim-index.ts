import { entryAt, floatAt, intAt } from '../column.ts'
import { type ClaimId, type ConstraintsId, NO_CLAIM } from '../model/ids.ts'
import { ClaimHeap } from './claim-heap.ts'
import { type ClaimTable, SLACK_COLUMNS } from './claim-table.ts'

/** The result of trying a claim for a pod: the claim takes the pod. */
export const TAKEN = 0
/** The claim can never take a pod with this fit key. */
export const NEVER = 1
/** The claim cannot take this pod now, but may take another pod later. */
export const NOT_NOW = 2
export type ClaimVerdict = typeof TAKEN | typeof NEVER | typeof NOT_NOW

/**
 * The claims that pods with one fit key (`Variant.fitKey`) may still join. Each set of constraints has one heap, with its claims in the
 * order in which they are tried. A claim that refuses permanently leaves the heap. So each claim refuses once per fit key, and not once per
 * pod. Only fit keys with enough pods have an index.
 */
export class ClaimIndex {
  readonly #table: ClaimTable
  /** The requests, which are the same for all pods with the fit key. */
  readonly #row: Float64Array
  readonly #heaps: ClaimHeap[] = []
  readonly #byConstraints = new Map<number, ClaimHeap>()
  /** The heaps to consider for the current pod. */
  readonly #open: ClaimHeap[] = []
  #seen = 0
  #replayed = 0

  constructor(table: ClaimTable, row: Float64Array) {
    this.#table = table
    this.#row = row
    this.#replayed = table.moved.length
  }

  /**
   * Returns the first claim, in order, that takes the pod; -1 if there is none. `isOpen` reports whether claims with given constraints may
   * take the pod, and `judge` tries a single claim.
   */
  find(isOpen: (constraints: ConstraintsId) => boolean, judge: (claim: ClaimId) => ClaimVerdict): ClaimId {
    this.#catchUp()
    const { key, constraints, retired } = this.#table
    const open = this.#open
    open.length = 0
    for (let place = 0; place < this.#heaps.length; place++) {
      const heap = this.#heaps[place]
      if (heap !== undefined && heap.size > 0 && isOpen(heap.constraints)) open.push(heap)
    }
    let aside: ClaimId[] | undefined
    let found = NO_CLAIM
    for (;;) {
      let best: ClaimHeap | undefined
      let bestKey = Number.POSITIVE_INFINITY
      for (let place = 0; place < open.length; place++) {
        const heap = open[place]
        if (heap === undefined || heap.size === 0) continue
        const top = floatAt(heap.keys, 0)
        if (top < bestKey) {
          best = heap
          bestKey = top
        }
      }
      if (best === undefined) break
      const claim = intAt(best.claims, 0) as ClaimId
      if (constraints[claim] !== best.constraints || retired[claim] === 1) {
        best.drop()
        continue
      }
      const current = floatAt(key, claim, 'order of claims')
      if (current !== bestKey) {
        best.rekey(current)
        continue
      }
      const verdict = judge(claim)
      if (verdict === TAKEN) {
        found = claim
        break
      }
      best.drop()
      if (verdict === NOT_NOW) {
        aside ??= []
        aside.push(claim)
      }
    }
    if (aside !== undefined) for (const claim of aside) this.#push(claim)
    return found
  }

  #catchUp(): void {
    const { moved, size } = this.#table
    for (; this.#replayed < moved.length; this.#replayed++) {
      const claim = entryAt(moved, this.#replayed)
      if (claim < this.#seen) this.#push(claim)
    }
    for (; this.#seen < size; this.#seen++) this.#push(this.#seen as ClaimId)
  }

  /** Releases the memory when the last pod with the fit key has been placed. */
  release(): void {
    for (const heap of this.#heaps) heap.release()
    this.#heaps.length = 0
    this.#open.length = 0
    this.#byConstraints.clear()
  }

  #push(claim: ClaimId): void {
    const { slack, retired } = this.#table
    if (retired[claim] === 1) return
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      if (floatAt(this.#row, column) > floatAt(slack, claim * SLACK_COLUMNS + column, 'slack of claims')) return
    }
    const constraints = this.#table.constraintsOf(claim)
    let heap = this.#byConstraints.get(constraints)
    if (heap === undefined) {
      heap = new ClaimHeap(constraints)
      this.#byConstraints.set(constraints, heap)
      this.#heaps.push(heap)
    }
    heap.push(floatAt(this.#table.key, claim, 'order of claims'), claim)
  }
}
