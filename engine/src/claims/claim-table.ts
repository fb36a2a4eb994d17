import type { BatchPod } from '../solve/world.ts'

const NONE = -1

/**
 * The new claims of a decision as rows of typed arrays, kept in upstream's order of trial: fewest pods first, and among
 * equals as a stable sort before every attempt would leave them. Since one claim changes between two attempts, that is
 * exactly: a claim that gains a pod goes to the front of the next bucket, a new claim to the end of the first.
 */
export class ClaimTable {
  readonly width: number
  size = 0
  state = new Int32Array(64)
  count = new Int32Array(64)
  next = new Int32Array(64)
  previous = new Int32Array(64)
  used: Float64Array
  readonly pods: BatchPod[][] = []
  /** First and last claim of each bucket; bucket `n` holds the claims with `n` pods. */
  readonly #first: number[] = [NONE]
  readonly #last: number[] = [NONE]

  constructor(width: number) {
    this.width = width
    this.used = new Float64Array(64 * width)
  }

  get buckets(): number {
    return this.#first.length
  }

  first(bucket: number): number {
    return this.#first[bucket] ?? NONE
  }

  add(state: number, pod: BatchPod, row: Float64Array): number {
    const claim = this.size++
    if (claim >= this.state.length) this.#grow()
    this.state[claim] = state
    this.count[claim] = 1
    this.used.set(row, claim * this.width)
    this.pods.push([pod])
    this.#open(1)
    const last = this.#last[1] ?? NONE
    this.previous[claim] = last
    this.next[claim] = NONE
    if (last === NONE) this.#first[1] = claim
    else this.next[last] = claim
    this.#last[1] = claim
    return claim
  }

  place(claim: number, state: number, pod: BatchPod, row: Float64Array): void {
    this.state[claim] = state
    const start = claim * this.width
    for (let column = 0; column < this.width; column++) {
      this.used[start + column] = (this.used[start + column] ?? 0) + (row[column] ?? 0)
    }
    this.pods[claim]?.push(pod)
    const bucket = this.count[claim] ?? 0
    this.#unlink(claim, bucket)
    this.count[claim] = bucket + 1
    this.#open(bucket + 1)
    const first = this.#first[bucket + 1] ?? NONE
    this.next[claim] = first
    this.previous[claim] = NONE
    if (first === NONE) this.#last[bucket + 1] = claim
    else this.previous[first] = claim
    this.#first[bucket + 1] = claim
  }

  /** All claims in the order of trial. */
  inOrder(): number[] {
    const claims: number[] = []
    for (let bucket = 1; bucket < this.buckets; bucket++) {
      for (let claim = this.first(bucket); claim !== NONE; claim = this.next[claim] ?? NONE) claims.push(claim)
    }
    return claims
  }

  #unlink(claim: number, bucket: number): void {
    const before = this.previous[claim] ?? NONE
    const after = this.next[claim] ?? NONE
    if (before === NONE) this.#first[bucket] = after
    else this.next[before] = after
    if (after === NONE) this.#last[bucket] = before
    else this.previous[after] = before
  }

  #open(bucket: number): void {
    while (this.#first.length <= bucket) {
      this.#first.push(NONE)
      this.#last.push(NONE)
    }
  }

  #grow(): void {
    const larger = this.state.length * 2
    this.state = resized(this.state, larger)
    this.count = resized(this.count, larger)
    this.next = resized(this.next, larger)
    this.previous = resized(this.previous, larger)
    const used = new Float64Array(larger * this.width)
    used.set(this.used)
    this.used = used
  }
}

const resized = (array: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}
