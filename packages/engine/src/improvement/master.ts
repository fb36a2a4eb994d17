import { entryAt, floatAt, outOfRange } from '../column.ts'

/** The content of one node, and its cost. */
export interface Pattern<T> {
  readonly podSets: readonly number[]
  /** The number of pods of each pod set in `podSets`. */
  readonly counts: readonly number[]
  readonly cost: number
  readonly node: T
}

/** After this number of changes, the inverse of the basis is recomputed, before rounding errors accumulate. */
const REFRESH = 60

/**
 * The linear program over patterns: how often to use each pattern (fractions are allowed) so that all pods are covered at the lowest cost.
 * It is a revised simplex with an explicit inverse, because there are few rows (one per pod set) and only the duals and the bound are
 * needed. Tiny perturbations of the demand prevent cycling. They do not affect the feasibility of the duals.
 */
export class Master<T> {
  readonly #demand: Float64Array
  readonly #patterns: Pattern<T>[] = []
  readonly #basis: number[] = []
  /** The inverse of the basis, row by row. */
  readonly #inverse: Float64Array
  readonly #amounts: Float64Array
  readonly duals: Float64Array
  readonly #size: number
  readonly #tolerance: number
  #changes = 0
  work = 0

  /**
   * @param singles the initial patterns, in the order of pod sets: each has a single pod of its pod set
   * @param tolerance patterns that save no more than this are not used
   */
  constructor(demand: readonly number[], singles: readonly Pattern<T>[], tolerance: number) {
    this.#tolerance = tolerance
    const size = demand.length
    this.#size = size
    this.#demand = Float64Array.from(demand, (count, podSet) => count + (1e-7 * (podSet + 1)) / size)
    this.#inverse = new Float64Array(size * size)
    this.#amounts = this.#demand.slice()
    this.duals = Float64Array.from(singles, ({ cost }) => cost)
    for (const [podSet, single] of singles.entries()) {
      this.#patterns.push(single)
      this.#basis.push(podSet)
      this.#inverse[podSet * size + podSet] = 1
    }
  }

  /** Adds a pattern (the content of a node) that the solution may use. */
  add(pattern: Pattern<T>): void {
    this.#patterns.push(pattern)
  }

  get patterns(): readonly Pattern<T>[] {
    return this.#patterns
  }

  /** Returns the patterns of the solution and how often each is used. */
  used(): readonly (readonly [Pattern<T>, number])[] {
    return this.#basis.flatMap((number, row) => {
      const pattern = this.#patterns[number]
      const amount = floatAt(this.#amounts, row)
      return pattern === undefined || amount <= 0 ? [] : [[pattern, amount] as const]
    })
  }

  /** Returns the cost of a pattern in excess of its pods' worth. */
  reducedCost({ podSets, counts, cost }: Pattern<T>): number {
    let rest = cost
    for (let place = 0; place < podSets.length; place++) {
      const podSet = podSets[place] ?? outOfRange('podSets', place)
      rest -= (counts[place] ?? outOfRange('counts', place)) * (this.duals[podSet] ?? outOfRange('duals', podSet))
    }
    return rest
  }

  /** Finds the optimum over the known patterns. Returns false if `mostWork` was not enough. */
  solve(mostWork: number): boolean {
    for (;;) {
      if (this.work > mostWork) return false
      let entering = -1
      let least = -this.#tolerance
      for (let place = 0; place < this.#patterns.length; place++) {
        const pattern = this.#patterns[place]
        if (pattern === undefined) continue
        const reduced = this.reducedCost(pattern)
        if (reduced < least) {
          least = reduced
          entering = place
        }
      }
      this.work += this.#patterns.length >>> 1
      const pattern = this.#patterns[entering]
      if (pattern === undefined || !this.#enter(pattern, entering)) return true
    }
  }

  #enter({ podSets, counts }: Pattern<T>, number: number): boolean {
    const size = this.#size
    const inverse = this.#inverse
    const direction = new Float64Array(size)
    for (let row = 0; row < size; row++) {
      let sum = 0
      for (let place = 0; place < podSets.length; place++) {
        const at = row * size + (podSets[place] ?? outOfRange('podSets', place))
        sum += (inverse[at] ?? outOfRange('inverse', at)) * (counts[place] ?? outOfRange('counts', place))
      }
      direction[row] = sum
    }
    let leaving = -1
    let least = Number.POSITIVE_INFINITY
    for (let row = 0; row < size; row++) {
      const step = floatAt(direction, row)
      if (step <= 1e-9) continue
      const ratio = floatAt(this.#amounts, row) / step
      if (ratio < least) {
        least = ratio
        leaving = row
      }
    }
    if (leaving < 0) return false
    const pivot = floatAt(direction, leaving)
    const pivotRow = inverse.subarray(leaving * size, (leaving + 1) * size)
    for (let podSet = 0; podSet < size; podSet++) pivotRow[podSet] = floatAt(pivotRow, podSet) / pivot
    for (let row = 0; row < size; row++) {
      const step = floatAt(direction, row)
      if (row === leaving || step === 0) continue
      for (let podSet = 0; podSet < size; podSet++) {
        const at = row * size + podSet
        const change = step * (pivotRow[podSet] ?? outOfRange('pivotRow', podSet))
        inverse[at] = (inverse[at] ?? outOfRange('inverse', at)) - change
      }
    }
    this.#basis[leaving] = number
    this.work += (size * size) >>> 3
    this.#changes++
    if (this.#changes % REFRESH === 0) this.#refresh()
    this.#follow()
    return true
  }

  /** Computes the amounts and duals of the basis. */
  #follow(): void {
    const size = this.#size
    this.duals.fill(0)
    for (let row = 0; row < size; row++) {
      const cost = this.#patterns[entryAt(this.#basis, row)]?.cost ?? 0
      let amount = 0
      for (let podSet = 0; podSet < size; podSet++) {
        const at = row * size + podSet
        const entry = this.#inverse[at] ?? outOfRange('inverse', at)
        amount += entry * (this.#demand[podSet] ?? outOfRange('demand', podSet))
        this.duals[podSet] = (this.duals[podSet] ?? outOfRange('duals', podSet)) + cost * entry
      }
      this.#amounts[row] = Math.max(0, amount)
    }
  }

  /** Recomputes the inverse by elimination. The old inverse stays if rounding has made the basis singular. */
  #refresh(): void {
    const size = this.#size
    const wide = 2 * size
    const table = new Float64Array(size * wide)
    for (let row = 0; row < size; row++) {
      const pattern = this.#patterns[entryAt(this.#basis, row)]
      for (const [place, podSet] of (pattern?.podSets ?? []).entries())
        table[podSet * wide + row] = pattern?.counts[place] ?? 0
      table[row * wide + size + row] = 1
    }
    for (let column = 0; column < size; column++) {
      let largest = column
      for (let row = column + 1; row < size; row++) {
        const here = Math.abs(floatAt(table, row * wide + column))
        if (here > Math.abs(floatAt(table, largest * wide + column))) largest = row
      }
      const pivot = floatAt(table, largest * wide + column)
      if (Math.abs(pivot) < 1e-9) return
      for (let at = 0; at < wide; at++) {
        const upper = floatAt(table, largest * wide + at)
        table[largest * wide + at] = floatAt(table, column * wide + at)
        table[column * wide + at] = upper / pivot
      }
      for (let row = 0; row < size; row++) {
        const factor = floatAt(table, row * wide + column)
        if (row === column || factor === 0) continue
        for (let at = 0; at < wide; at++) {
          const place = row * wide + at
          const other = column * wide + at
          const change = factor * (table[other] ?? outOfRange('table', other))
          table[place] = (table[place] ?? outOfRange('table', place)) - change
        }
      }
    }
    for (let row = 0; row < size; row++) {
      for (let podSet = 0; podSet < size; podSet++)
        this.#inverse[row * size + podSet] = floatAt(table, row * wide + size + podSet)
    }
    this.work += (size * size * size) >>> 3
  }
}
