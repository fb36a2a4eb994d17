import { entryAt } from '../column.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import { type Column, columnPodSets } from './columns.ts'
import { Filling } from './filling.ts'
import { Master, type Pattern } from './master.ts'
import type { Packer } from './packer.ts'
import { PatternSearch } from './pattern-search.ts'

/** How to find nodes that improve the linear program. `quick` fills them greedily, and `certain` tries all possible contents. */
export type Pricing = 'quick' | 'certain'

/**
 * The linear program over all possible contents of nodes. It is solved by repeatedly adding nodes that improve the solution. Its duals are
 * the worths of the pod sets. With the pricing `certain`, the duals also give a lower bound for the cost of any plan.
 */
export class Relaxation {
  readonly master: Master<Bin>
  readonly search: PatternSearch
  readonly #packer: Packer
  readonly #columns: readonly Column[]
  readonly #tolerance: number

  private constructor(packer: Packer, columns: readonly Column[], master: Master<Bin>, tolerance: number) {
    this.#packer = packer
    this.#columns = columns
    this.master = master
    this.#tolerance = tolerance
    this.search = new PatternSearch(packer.model, packer.prices)
  }

  /**
   * @param tolerance costs that differ by at most this count as equal
   * @returns the program, not solved yet; `undefined` if a pod cannot be alone on a node
   */
  static of(packer: Packer, columns: readonly Column[], tolerance: number): Relaxation | undefined {
    const { model } = packer
    const singles = singlePodPatterns(packer, columns)
    if (singles === undefined) return undefined
    const demand = model.podSets.map(({ pods }) => pods.length)
    return new Relaxation(packer, columns, new Master(demand, singles, tolerance / 2), tolerance)
  }

  get work(): number {
    return this.master.work + this.search.work
  }

  /** Solves the program until the pricing finds no further improvement. Returns false if the allowed work was not enough. */
  solve(pricing: Pricing, mostWork: number): boolean {
    for (;;) {
      if (!this.master.solve(mostWork - this.search.work)) return false
      const quick = this.#priced('quick', mostWork)
      const found = quick.length > 0 || pricing === 'quick' ? quick : this.#priced('certain', mostWork)
      if (this.work > mostWork) return false
      if (found.length === 0) return true
      for (const pattern of found) this.master.add(pattern)
    }
  }

  /** Returns the nodes of the solution. The solution uses fractions of nodes, which are rounded down. */
  whole(): readonly Bin[] {
    return this.master
      .used()
      .flatMap(([{ node }, amount]) => Array.from({ length: Math.floor(amount + 1e-6) }, () => node))
  }

  /**
   * Returns for each column a node that improves the program. With the pricing `certain`, this is the node with the largest improvement.
   */
  #priced(pricing: Pricing, mostWork: number): readonly Pattern<Bin>[] {
    const found: Pattern<Bin>[] = []
    this.search.mostWork = mostWork - this.master.work
    for (const column of this.#columns) {
      const least = column.price + this.#packer.surcharge + this.#tolerance
      let best: Bin | undefined
      if (pricing === 'quick') best = this.search.quick(column, this.master.duals, least)
      else {
        this.search.each(column, this.master.duals, least, (bin, worth) => {
          best = bin
          return worth + this.#tolerance
        })
      }
      if (best !== undefined) found.push(toPattern(best, this.#packer))
      if (this.search.isSpent) break
    }
    return found
  }
}

/** Returns a node as a pattern of the linear program. The pattern's cost includes the surcharge. */
export const toPattern = (bin: Bin, { surcharge }: Packer): Pattern<Bin> => ({
  podSets: bin.podSets,
  counts: bin.counts,
  cost: bin.price + surcharge,
  node: bin,
})

/** For each pod set, returns one pod alone on its cheapest node; `undefined` if a pod cannot be alone on a node. */
const singlePodPatterns = (packer: Packer, columns: readonly Column[]): readonly Pattern<Bin>[] | undefined => {
  const { model, prices } = packer
  const filling = new Filling(model)
  const best: (Bin | undefined)[] = model.podSets.map(() => undefined)
  for (const column of columns) {
    const { template, allocatable, offering, price } = column
    for (const number of columnPodSets(column, model)) {
      const podSet = model.podSets[number]
      const known = best[number]
      if (podSet === undefined || (known !== undefined && known.price <= price)) continue
      filling.begin(entryAt(model.roots, template, 'roots of templates'))
      if (filling.add(podSet, 1, allocatable, offering) === 0) continue
      const bin = filling.toBin(prices, template, NO_FIXED_PODS)
      if (bin !== undefined && (known === undefined || bin.price < known.price)) best[number] = bin
    }
  }
  const patterns = best.flatMap((bin) => (bin === undefined ? [] : toPattern(bin, packer)))
  return patterns.length === best.length ? patterns : undefined
}
