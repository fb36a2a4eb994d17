import { floatAt, intAt } from '../column.ts'
import type { ClaimId, ConstraintsId } from '../model/ids.ts'

const SMALLEST = 64
const spareKeys: Float64Array<ArrayBuffer>[] = []
const spareClaims: Int32Array<ArrayBuffer>[] = []
const MOST_SPARE = 256

/**
 * Claims, ordered by the key that each had when it was added, smallest first. The key of a claim only grows, so the key on top is a lower
 * bound.
 */
export class ClaimHeap {
  readonly constraints: ConstraintsId
  size = 0
  keys = spareKeys.pop() ?? new Float64Array(SMALLEST)
  claims = spareClaims.pop() ?? new Int32Array(SMALLEST)

  constructor(constraints: ConstraintsId) {
    this.constraints = constraints
  }

  push(key: number, claim: ClaimId): void {
    if (this.size >= this.keys.length || this.size >= this.claims.length) this.#grow()
    let place = this.size++
    const { keys, claims } = this
    while (place > 0) {
      const parent = (place - 1) >> 1
      const parentKey = floatAt(keys, parent)
      if (parentKey <= key) break
      keys[place] = parentKey
      claims[place] = intAt(claims, parent)
      place = parent
    }
    keys[place] = key
    claims[place] = claim
  }

  /** Removes the top claim. */
  drop(): void {
    const last = --this.size
    if (last > 0) this.#sink(floatAt(this.keys, last), intAt(this.claims, last) as ClaimId)
  }

  /** Updates the key of the top claim to its current value. */
  rekey(key: number): void {
    this.#sink(key, intAt(this.claims, 0) as ClaimId)
  }

  /** Empties the heap and releases its memory. */
  release(): void {
    this.size = 0
    if (spareKeys.length < MOST_SPARE) {
      spareKeys.push(this.keys)
      spareClaims.push(this.claims)
    }
    this.keys = new Float64Array(0)
    this.claims = new Int32Array(0)
  }

  #sink(key: number, claim: ClaimId): void {
    const { keys, claims, size } = this
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= size) break
      if (child + 1 < size && floatAt(keys, child + 1) < floatAt(keys, child)) child++
      const childKey = floatAt(keys, child)
      if (childKey >= key) break
      keys[place] = childKey
      claims[place] = intAt(claims, child)
      place = child
    }
    keys[place] = key
    claims[place] = claim
  }

  #grow(): void {
    const length = Math.max(SMALLEST, this.size * 2)
    const keys = new Float64Array(length)
    keys.set(this.keys.subarray(0, this.size))
    this.keys = keys
    const claims = new Int32Array(length)
    claims.set(this.claims.subarray(0, this.size))
    this.claims = claims
  }
}
