import type { Bin } from './bin.ts'
import type { Column } from './columns.ts'
import { Filling } from './filling.ts'
import { Master, type Pattern } from './master.ts'
import type { Model } from './model.ts'
import type { Packer } from './packer.ts'
import { PatternSearch } from './pattern-search.ts'

/** Batches with more kinds or pods are not tried. */
const MOST_KINDS = 40
const MOST_PODS = 400
/** Least that costs must differ by to differ at all, as a share of the whole. */
const NOISE = 1e-9
/** Patterns that are tried for a whole plan at a time, and how much farther from the bound each time looks. */
const FIRST_GAP = 0.002
const GAP_GROWTH = 4
const MOST_PATTERNS = 50_000

export interface Exact {
  /** The cheapest nodes there are for these pods; `undefined` if none are cheaper than those known, or it was not found out. */
  readonly bins: readonly Bin[] | undefined
  /** Whether no cheaper nodes exist. */
  readonly isProven: boolean
  /** No nodes for these pods cost less, surcharges included. */
  readonly bound: number
  readonly duals: Float64Array | undefined
  readonly work: number
}

/**
 * The cheapest plan, by branch and price: a linear program over all that a node may hold gives every pod its worth and the
 * plan a bound; then only nodes that cost little more than their pods are worth can be in a plan that is cheaper than the
 * one known, and those few are tried for a whole plan. An optimum knows nothing of how it was found: with one more offering
 * to choose from it cannot become dearer.
 * @param known what the cheapest nodes known so far cost, surcharges included
 * @param budget looks to spend; given up beyond
 */
export const exactPlan = (packer: Packer, columns: readonly Column[], known: number, budget: number): Exact => {
  return new Search(packer, columns, known, budget).run()
}

/** Whether a batch is small and free enough for an exact plan to be looked for. */
export const isSmall = ({ kinds, claims }: Model): boolean =>
  kinds.length <= MOST_KINDS &&
  kinds.reduce((sum, { pods }) => sum + pods.length, 0) <= MOST_PODS &&
  claims.every(({ fixed }) => fixed.length === 0)

class Search {
  readonly #model: Model
  readonly #packer: Packer
  readonly #columns: readonly Column[]
  readonly #known: number
  readonly #budget: number
  readonly #patterns: PatternSearch
  readonly #demand: readonly number[]
  #work = 0

  constructor(packer: Packer, columns: readonly Column[], known: number, budget: number) {
    this.#packer = packer
    this.#model = packer.model
    this.#columns = columns
    this.#known = known
    this.#budget = budget
    this.#patterns = new PatternSearch(packer.model, packer.prices)
    this.#demand = packer.model.kinds.map(({ pods }) => pods.length)
  }

  run(): Exact {
    const master = this.#relaxation()
    if (master === undefined) return { bins: undefined, isProven: false, bound: 0, duals: undefined, work: this.#spent }
    const worths = master.duals.map((dual) => Math.max(0, dual))
    const bound = this.#demand.reduce((sum, count, kind) => sum + count * (worths[kind] ?? 0), 0)
    const noise = NOISE * this.#known
    const widest = this.#known - bound - noise
    const answer = { bound, duals: worths }
    if (widest <= 0) return { ...answer, bins: undefined, isProven: true, work: this.#spent }
    let before = -1
    for (let gap = FIRST_GAP * bound; ; gap *= GAP_GROWTH) {
      const tried = Math.min(gap, widest)
      const candidates = this.#within(tried, worths)
      if (candidates === undefined) return { ...answer, bins: undefined, isProven: false, work: this.#spent }
      // With no more patterns than before a little more to spare seldom helps.
      const isLast = tried >= widest
      if (candidates.length === before && !isLast) continue
      before = candidates.length
      const whole = this.#combine(candidates, tried)
      if (whole === undefined) return { ...answer, bins: undefined, isProven: false, work: this.#spent }
      if (whole !== 'none') return { ...answer, bins: whole, isProven: true, work: this.#spent }
      if (isLast) return { ...answer, bins: undefined, isProven: true, work: this.#spent }
    }
  }

  get #spent(): number {
    return this.#work + this.#patterns.work
  }

  #patternOf(bin: Bin): Pattern<Bin> {
    const counts = this.#demand.map(() => 0)
    for (const [place, kind] of bin.kinds.entries()) counts[kind] = bin.counts[place] ?? 0
    return { counts, cost: bin.price + this.#packer.surcharge, node: bin }
  }

  /** The linear program at its optimum; `undefined` if the budget did not suffice. */
  #relaxation(): Master<Bin> | undefined {
    const singles = this.#singles()
    if (singles === undefined) return undefined
    const tolerance = NOISE * this.#known
    const master = new Master(this.#demand, singles, tolerance / 2)
    for (;;) {
      const before = master.work
      const isSolved = master.solve(before + this.#budget - this.#spent)
      this.#work += master.work - before
      if (!isSolved) return undefined
      const quick = this.#priced(master, tolerance, true)
      const found = quick.length > 0 ? quick : this.#priced(master, tolerance, false)
      if (this.#patterns.isSpent) return undefined
      if (found.length === 0) return master
      for (const pattern of found) master.add(pattern)
    }
  }

  /** The node of each column that the program would gain most by, if it would; at one go, or with certainty. */
  #priced(master: Master<Bin>, tolerance: number, isQuick: boolean): readonly Pattern<Bin>[] {
    const found: Pattern<Bin>[] = []
    for (const column of this.#columns) {
      this.#patterns.mostWork = this.#patterns.work + this.#budget - this.#spent
      const least = column.price + this.#packer.surcharge + tolerance
      let best: Bin | undefined
      if (isQuick) best = this.#patterns.quick(column, master.duals, least)
      else {
        this.#patterns.each(column, master.duals, least, (bin, worth) => {
          best = bin
          return worth + tolerance
        })
      }
      if (best !== undefined) found.push(this.#patternOf(best))
      if (this.#patterns.isSpent) break
    }
    return found
  }

  /** One pod of each kind alone on its cheapest node; `undefined` if one may not be alone. */
  #singles(): readonly Pattern<Bin>[] | undefined {
    const filling = new Filling(this.#model)
    const patterns: Pattern<Bin>[] = []
    for (const kind of this.#model.kinds) {
      let best: Bin | undefined
      for (const { template, room, offering, kinds, price } of this.#columns) {
        if (!kinds.includes(kind.id) || (best !== undefined && best.price <= price)) continue
        filling.begin(this.#model.roots[template] ?? 0)
        if (filling.add(kind, 1, room, offering) === 0) continue
        const bin = filling.toBin(this.#packer.prices, template, -1)
        if (bin !== undefined && (best === undefined || bin.price < best.price)) best = bin
      }
      if (best === undefined) return undefined
      patterns.push(this.#patternOf(best))
    }
    return patterns
  }

  /** All patterns that cost at most `gap` more than their pods are worth; `undefined` if there are too many. */
  #within(gap: number, worths: Float64Array): readonly Candidate[] | undefined {
    const found = new Map<string, Candidate>()
    for (const column of this.#columns) {
      this.#patterns.mostWork = this.#patterns.work + this.#budget - this.#spent
      const least = column.price + this.#packer.surcharge - gap
      this.#patterns.each(column, worths, least, (bin, worth) => {
        const pattern = this.#patternOf(bin)
        const key = pattern.counts.join()
        const excess = Math.max(0, pattern.cost - worth)
        const known = found.get(key)
        if (known === undefined || excess < known.excess) found.set(key, { pattern, kinds: bin.kinds, excess })
        return found.size > MOST_PATTERNS ? Number.POSITIVE_INFINITY : least
      })
      if (this.#patterns.isSpent || found.size > MOST_PATTERNS) return undefined
    }
    return [...found.values()].sort((a, b) => a.excess - b.excess || byCounts(a.pattern, b.pattern))
  }

  /** Patterns that make up all pods and cost together at most `gap` more than the pods are worth, as little as can be. */
  #combine(candidates: readonly Candidate[], gap: number): readonly Bin[] | 'none' | undefined {
    const size = this.#demand.length
    const left = [...this.#demand]
    const failed = new Map<string, number>()
    const chosen: Bin[] = []
    let best: readonly Bin[] | undefined
    let most = gap
    const descend = (usable: readonly Candidate[], spent: number): void => {
      const key = left.join()
      // What is left has been tried with as much to spare, in vain or for the best there is.
      const before = failed.get(key)
      if (before !== undefined && most - spent <= before) return
      const still: Candidate[] = []
      const choices = new Int32Array(size)
      for (const candidate of usable) {
        if (spent + candidate.excess > most) break
        if (!isLeft(candidate, left)) continue
        still.push(candidate)
        for (const kind of candidate.kinds) choices[kind] = (choices[kind] ?? 0) + 1
      }
      this.#work += 2 + (usable.length >>> 2)
      // The kind with the fewest nodes to be on is settled first.
      let kind = -1
      for (let each = 0; each < size; each++) {
        if ((left[each] ?? 0) > 0 && (kind < 0 || (choices[each] ?? 0) < (choices[kind] ?? 0))) kind = each
      }
      if (kind < 0) {
        best = [...chosen]
        // From here on only what is cheaper for certain.
        most = spent - NOISE * this.#known
        return
      }
      for (const candidate of still) {
        if (spent + candidate.excess > most || this.#spent > this.#budget) break
        const { counts, node } = candidate.pattern
        if ((counts[kind] ?? 0) === 0) continue
        for (const each of candidate.kinds) left[each] = (left[each] ?? 0) - (counts[each] ?? 0)
        chosen.push(node)
        descend(still, spent + candidate.excess)
        chosen.pop()
        for (const each of candidate.kinds) left[each] = (left[each] ?? 0) + (counts[each] ?? 0)
      }
      failed.set(key, most - spent)
    }
    descend(candidates, 0)
    if (this.#spent > this.#budget) return undefined
    return best ?? 'none'
  }
}

interface Candidate {
  readonly pattern: Pattern<Bin>
  readonly kinds: readonly number[]
  /** What it costs more than its pods are worth. */
  readonly excess: number
}

const byCounts = (a: Pattern<Bin>, b: Pattern<Bin>): number => {
  for (const [kind, count] of a.counts.entries()) {
    const other = b.counts[kind] ?? 0
    if (count !== other) return other - count
  }
  return a.node.template - b.node.template
}

const isLeft = ({ kinds, pattern }: Candidate, left: readonly number[]): boolean => {
  for (const kind of kinds) if ((pattern.counts[kind] ?? 0) > (left[kind] ?? 0)) return false
  return true
}
