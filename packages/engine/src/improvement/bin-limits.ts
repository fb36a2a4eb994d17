import { entryAt, floatAt, intAt } from '../column.ts'
import type { ClaimId } from '../model/ids.ts'
import { PoolLimits } from '../packing/limits.ts'
import { cheapAmounts } from '../packing/written-types.ts'
import type { Bin } from './bin.ts'
import type { Model } from './model.ts'

/** A tolerance for comparing amounts as doubles. `materialise` checks the exact amounts later. */
const ROUNDING = 1 + 1e-9

const NOTHING_FREE = new Float64Array(0)

/** Tracks how much of the pools' limits the nodes of a plan use. */
export interface LimitUse {
  /**
   * Replaces some nodes with others, if the new nodes respect the limits or at least reduce the excess. Otherwise, returns false and
   * changes nothing.
   */
  swap(gone: readonly Bin[], come: readonly Bin[]): boolean
}

/**
 * Checks whether the nodes of a plan respect the limits of the pools. For each node, the cheapest instance type that may be launched
 * counts. This is a quick check for every plan that a search considers; `materialise` makes the final check.
 */
export class BinLimits {
  readonly #model: Model
  readonly #pools: readonly (PoolLimits | undefined)[]
  /** For each template, the amount of each limited resource that the kept claims leave free. */
  readonly #free: readonly Float64Array[]
  readonly #nodes: readonly number[]
  readonly #known = new WeakMap<Bin, Float64Array>()

  constructor(model: Model) {
    this.#model = model
    const pools = PoolLimits.anew(model.run.limits, model.run.ceilings)
    for (const [number, claim] of model.kept.entries()) {
      const constraints = model.constraintsTable.get(claim.constraints)
      pools[constraints.index.template.index]?.take(number as ClaimId, constraints, claim.used)
    }
    this.#pools = pools.map((pool) => (pool.counts || Number.isFinite(pool.nodesLeft) ? pool : undefined))
    this.#free = pools.map(({ left }) => Float64Array.from(left, Number))
    this.#nodes = pools.map(({ nodesLeft }) => nodesLeft)
  }

  /** Returns whether all of these nodes together respect the limits. */
  holds(bins: readonly Bin[]): boolean {
    return this.use([]).swap([], bins)
  }

  /** Returns a tracker that starts with these nodes. The search can then replace some of them. */
  use(bins: readonly Bin[]): LimitUse {
    const sums = this.#free.map(({ length }) => new Float64Array(length))
    const counts = new Int32Array(this.#free.length)
    const change = (changed: readonly Bin[], by: 1 | -1): void => {
      for (const bin of changed) {
        const sum = sums[bin.template]
        if (sum === undefined || this.#pools[bin.template] === undefined) continue
        counts[bin.template] = intAt(counts, bin.template) + by
        const amounts = this.#amountsOf(bin)
        for (let place = 0; place < amounts.length; place++)
          sum[place] = floatAt(sum, place) + by * floatAt(amounts, place)
      }
    }
    const excess = (): number => {
      let most = 0
      for (const [template, sum] of sums.entries()) {
        const free = this.#free[template] ?? NOTHING_FREE
        most = Math.max(most, intAt(counts, template) - entryAt(this.#nodes, template))
        for (let place = 0; place < sum.length; place++)
          most = Math.max(most, floatAt(sum, place) - floatAt(free, place) * ROUNDING)
      }
      return most
    }
    const isUsed = this.#pools.some((pool) => pool !== undefined)
    if (isUsed) change(bins, 1)
    return {
      swap: (gone, come) => {
        if (!isUsed) return true
        const before = excess()
        change(gone, -1)
        change(come, 1)
        const after = excess()
        if (after === 0 || after < before) return true
        change(come, -1)
        change(gone, 1)
        return false
      },
    }
  }

  #amountsOf(bin: Bin): Float64Array {
    let amounts = this.#known.get(bin)
    if (amounts === undefined) {
      const pool = this.#pools[bin.template]
      const { constraintsTable } = this.#model
      const exact = pool === undefined ? [] : cheapAmounts(pool, constraintsTable, bin.constraints, bin.used)
      amounts = Float64Array.from(exact, Number)
      this.#known.set(bin, amounts)
    }
    return amounts
  }
}
