import { entryAt, floatAt, intAt } from '../column.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import { type ClaimId, type ConstraintsId, NO_CLAIM } from '../model/ids.ts'

/**
 * The number of resource columns for which each claim's slack is stored. Slack is the largest amount that another pod may request. Cpu,
 * memory and pods are always the first three columns.
 */
export const SLACK_COLUMNS = 3
const CAPACITY = 64
const BUCKET = 2 ** 32
const MIDDLE = 2 ** 31

/**
 * The new claims of a decision as rows of typed arrays, in the order in which Karpenter tries them: claims with the fewest pods first.
 * Karpenter sorts the claims with a stable sort before every attempt. Here, only the claim that changed moves: a claim that gains a pod
 * moves to the front of the bucket for its new number of pods, and a new claim goes to the end of the first bucket. The resulting order is
 * the same. `key` expresses this order as a number.
 */
export class ClaimTable {
  readonly width: number
  size = 0
  constraints: Int32Array<ArrayBuffer>
  count: Int32Array<ArrayBuffer>
  next: Int32Array<ArrayBuffer>
  previous: Int32Array<ArrayBuffer>
  key: Float64Array<ArrayBuffer>
  used: Float64Array<ArrayBuffer>
  /** The largest amount that another pod may request in the first columns. A pod within these amounts does not necessarily fit. */
  slack: Float64Array<ArrayBuffer>
  /** For each claim, 1 if none of the remaining pods can fit. */
  retired: Uint8Array<ArrayBuffer>
  readonly pods: BatchPod[][] = []
  /** Claims in the order in which their constraints changed. */
  readonly moved: ClaimId[] = []
  /** The first and last claim of each bucket. Bucket `n` contains the claims with `n` pods that are not retired. */
  readonly #first: ClaimId[] = [NO_CLAIM]
  readonly #last: ClaimId[] = [NO_CLAIM]
  /** Upper bounds of the slack in each bucket. */
  readonly #largest: number[] = Array(SLACK_COLUMNS).fill(0)
  #gains = 0
  #births = 0

  /** @param capacity the initial number of rows */
  constructor(width: number, capacity = CAPACITY) {
    this.width = width
    this.constraints = new Int32Array(capacity)
    this.count = new Int32Array(capacity)
    this.next = new Int32Array(capacity)
    this.previous = new Int32Array(capacity)
    this.key = new Float64Array(capacity)
    this.used = new Float64Array(capacity * width)
    this.slack = new Float64Array(capacity * SLACK_COLUMNS)
    this.retired = new Uint8Array(capacity)
  }

  /** The number of claims that fit into the allocated rows. */
  get capacity(): number {
    return this.constraints.length
  }

  /** The number of the next new claim. */
  get nextId(): ClaimId {
    return this.size as ClaimId
  }

  get buckets(): number {
    return this.#first.length
  }

  /** Returns the constraints of a claim. @throws RangeError if the claim does not exist */
  constraintsOf(claim: ClaimId): ConstraintsId {
    const id = this.constraints[claim]
    if (id === undefined) throw new RangeError(`no claim ${claim}`)
    return id as ConstraintsId
  }

  first(bucket: number): ClaimId {
    return entryAt(this.#first, bucket)
  }

  /** Returns whether some claim of the bucket may have enough slack. */
  mayHold(bucket: number, row: Float64Array): boolean {
    const start = bucket * SLACK_COLUMNS
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      if (floatAt(row, column) > entryAt(this.#largest, start + column)) return false
    }
    return true
  }

  /** Recomputes the upper bounds of a bucket exactly. */
  tighten(bucket: number): void {
    const start = bucket * SLACK_COLUMNS
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      let largest = Number.NEGATIVE_INFINITY
      for (let claim = this.first(bucket); claim !== NO_CLAIM; claim = this.#after(claim)) {
        const slack = floatAt(this.slack, claim * SLACK_COLUMNS + column, 'slack of claims')
        if (slack > largest) largest = slack
      }
      this.#largest[start + column] = largest
    }
  }

  add(constraints: ClaimConstraints, pod: BatchPod, row: Float64Array): ClaimId {
    const claim = this.nextId
    this.size++
    if (claim >= this.constraints.length) this.#grow()
    this.constraints[claim] = constraints.id
    this.count[claim] = 1
    this.used.set(row, claim * this.width)
    this.pods.push([pod])
    this.key[claim] = BUCKET + MIDDLE + this.#births++
    this.#open(1)
    const last = entryAt(this.#last, 1)
    this.previous[claim] = last
    this.next[claim] = NO_CLAIM
    if (last === NO_CLAIM) this.#first[1] = claim
    else this.next[last] = claim
    this.#last[1] = claim
    this.#measure(claim, 1, constraints)
    return claim
  }

  place(claim: ClaimId, constraints: ClaimConstraints, pod: BatchPod, row: Float64Array): void {
    if (this.constraints[claim] !== constraints.id) {
      this.constraints[claim] = constraints.id
      this.moved.push(claim)
    }
    const start = claim * this.width
    for (let column = 0; column < this.width; column++) {
      this.used[start + column] = floatAt(this.used, start + column, 'requests of claims') + floatAt(row, column)
    }
    this.pods[claim]?.push(pod)
    const bucket = intAt(this.count, claim, 'pods of claims')
    this.#unlink(claim, bucket)
    this.count[claim] = bucket + 1
    this.key[claim] = (bucket + 1) * BUCKET + MIDDLE - ++this.#gains
    this.#open(bucket + 1)
    const first = entryAt(this.#first, bucket + 1)
    this.next[claim] = first
    this.previous[claim] = NO_CLAIM
    if (first === NO_CLAIM) this.#last[bucket + 1] = claim
    else this.previous[first] = claim
    this.#first[bucket + 1] = claim
    this.#measure(claim, bucket + 1, constraints)
  }

  /** Permanently removes a claim from the walk, because no remaining pod can fit. Returns the next claim of its bucket. */
  retire(claim: ClaimId): ClaimId {
    const next = this.#after(claim)
    this.#unlink(claim, intAt(this.count, claim, 'pods of claims'))
    this.retired[claim] = 1
    return next
  }

  /** Returns all claims in the order in which they are tried. */
  inOrder(): ClaimId[] {
    return Array.from({ length: this.size }, (_, claim) => claim as ClaimId).sort(
      (a, b) => floatAt(this.key, a, 'order of claims') - floatAt(this.key, b, 'order of claims'),
    )
  }

  #measure(claim: ClaimId, bucket: number, constraints: ClaimConstraints): void {
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      const slack =
        floatAt(constraints.largest, column) - floatAt(this.used, claim * this.width + column, 'requests of claims')
      this.slack[claim * SLACK_COLUMNS + column] = slack
      const place = bucket * SLACK_COLUMNS + column
      if (slack > entryAt(this.#largest, place)) this.#largest[place] = slack
    }
  }

  #after(claim: ClaimId): ClaimId {
    return intAt(this.next, claim, 'next claims') as ClaimId
  }

  #unlink(claim: ClaimId, bucket: number): void {
    const before = intAt(this.previous, claim, 'previous claims') as ClaimId
    const after = this.#after(claim)
    if (before === NO_CLAIM) this.#first[bucket] = after
    else this.next[before] = after
    if (after === NO_CLAIM) this.#last[bucket] = before
    else this.previous[after] = before
  }

  #open(bucket: number): void {
    while (this.#first.length <= bucket) {
      this.#first.push(NO_CLAIM)
      this.#last.push(NO_CLAIM)
      for (let column = 0; column < SLACK_COLUMNS; column++) this.#largest.push(Number.NEGATIVE_INFINITY)
    }
  }

  #grow(): void {
    const larger = this.constraints.length * 2
    this.constraints = resized(this.constraints, larger)
    this.count = resized(this.count, larger)
    this.next = resized(this.next, larger)
    this.previous = resized(this.previous, larger)
    this.key = copied(this.key, larger)
    this.used = copied(this.used, larger * this.width)
    this.slack = copied(this.slack, larger * SLACK_COLUMNS)
    const retired = new Uint8Array(larger)
    retired.set(this.retired)
    this.retired = retired
  }
}

const resized = (array: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}

const copied = (array: Float64Array, length: number): Float64Array<ArrayBuffer> => {
  const larger = new Float64Array(length)
  larger.set(array)
  return larger
}
