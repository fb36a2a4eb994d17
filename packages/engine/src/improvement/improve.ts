import type { PackedClaim } from '../model/packed-claim.ts'
import type { Run } from '../packing/packing-run.ts'
import { type Bin, binsCost } from './bin.ts'
import { BinLimits } from './bin-limits.ts'
import { COARSE, type Column, EVERY_COLUMN, generateColumns } from './columns.ts'
import { LeastCosts } from './efficient-columns.ts'
import { type Exact, exactPlan, isSmall } from './exact.ts'
import { fewerNodesExactly } from './fewer-nodes.ts'
import { firstBins, fixedBin } from './first-bins.ts'
import { coverAll } from './from-scratch.ts'
import { materialise } from './materialise.ts'
import { buildModel, type Model } from './model.ts'
import { Packer } from './packer.ts'
import { Prices } from './prices.ts'
import { Relaxation, toPattern } from './relaxation.ts'
import { type SearchRules, search } from './search.ts'

export { defaultBudget, trialsWithin } from './budget.ts'

/** The fraction of the budget for plans from scratch. They come first, because they save most. */
const COVER_SHARE = 0.6

/** A plan replaces the first plan only if it is cheaper by at least this fraction. */
const LEAST_GAIN = 0.01
const FIRST_SURCHARGE = 0.01
const LAST_SURCHARGE = 0.1
/**
 * The surcharges per node for a plan from scratch, as fractions of the mean node price of the first plan. They are tried in this order, and
 * the first plan that respects the limit on the number of nodes is taken.
 */
const SURCHARGES = [FIRST_SURCHARGE, 0.025, 0.05, LAST_SURCHARGE]
/** If the first plan has at least this many nodes, another plan may have at most a tenth more nodes, unless it is far cheaper. */
const LARGE_PLAN = 20
/**
 * A plan may have any number of nodes if it is cheaper than the first plan by this fraction, even with the last surcharge for each node.
 */
const LARGE_GAIN = 0.25
/**
 * The minimum price of the offerings for which a large plan from scratch opens nodes, as a fraction of the mean price of a node. A finished
 * node gets the cheapest offering that holds its pods, so the last nodes become small anyway.
 */
const LEAST_NODE = 0.25

/**
 * The surcharge per node in exact plans, as a fraction of the mean node price. It is so small that it only decides between plans of equal
 * cost: the search prefers the one with fewer nodes.
 */
const EXACT_SURCHARGE = 1e-7
/** The fractions of the budget for the rounds of the exact search. */
const EXACT_SHARES = [0.05, 0.75]
/** The fraction of the budget for a ruin-and-recreate search between the rounds of the exact search. */
const PROBE_SHARE = 0.05
/** The fraction of the budget for the linear program. */
const RELAXED_SHARE = 0.3
/** If there are more pod sets than this, the pass does not use the linear program, because it would be too slow. */
const MOST_ROWS = 150
/** If there are fewer pods per pod set than this, the pass does not use the linear program, because it would gain little. */
const LEAST_REPEATS = 8
/** If a search finds nothing within this fraction of the budget, it ends. */
const FRUITLESS_SHARE = 0.3

/** The fraction of the budget for each attempt to find a plan with fewer nodes. */
const FEWER_SHARE = 0.1
/** The surcharges per node in the search for a plan with fewer nodes at no higher cost, as fractions of the mean node price. */
const FEWER_SURCHARGES = [0.1, 0.05]
/**
 * Settings of the search that replaces cheap nodes with fewer nodes. `surcharge` is the cost that the search adds per node, as a fraction
 * of the mean node price. It exceeds any possible saving, so fewer nodes always win. Each node to take apart is the cheapest of
 * `cheapestOf` random nodes. `share` is the additional work of this search, as a fraction of the budget.
 */
const AT_EQUAL_COST = { surcharge: 3, cheapestOf: 8, share: 0.04 }
/**
 * Settings, as in `AT_EQUAL_COST`, of the search that may raise the cost by a share. Its surcharge is lower, so that it accepts a higher cost only
 * for moves that save the most nodes.
 */
const AT_HIGHER_COST = { surcharge: 1, cheapestOf: 8, share: 0.05 }

/** A cheaper set of claims for the same pods, and the work that it took. `claims` is `undefined` if the first plan is kept. */
export interface Improvement {
  readonly claims: readonly PackedClaim[] | undefined
  readonly work: number
  /**
   * Whether it is proven that no plan on nodes of these pools is cheaper for these pods. The proof does not cover plans that move fixed
   * pods.
   */
  readonly isProven: boolean
}

/** A plan with its claims, and their cost without surcharges. `claims` is `undefined` for the first plan. */
interface WrittenPlan {
  readonly bins: readonly Bin[]
  readonly claims: readonly PackedClaim[] | undefined
  readonly cost: number
}

/** Looks for a cheaper plan, with at most `budget` units of work. */
export const improve = (run: Run, budget: number): Improvement => {
  const model = buildModel(run)
  const first = model === undefined ? undefined : firstBins(model)
  if (model === undefined || first === undefined) return { claims: undefined, work: 0, isProven: false }
  return new Improver(model, first, budget).improve()
}

/**
 * Searches for a cheaper plan. Terms: a column is an offering for which the search fills nodes. The worth of a pod is how much a plan may
 * pay for placing it. Duals are the worths that the linear program computes. The surcharge is added to the price of each node.
 */
class Improver {
  readonly #model: Model
  readonly #first: readonly Bin[]
  readonly #budget: number
  readonly #prices: Prices
  readonly #limits: BinLimits
  /** The mean price of a node of the first plan. */
  readonly #mean: number
  /** A plan with more nodes than this is accepted only if it is far cheaper. */
  readonly #usualNodes: number
  /** The packer for plans with any number of nodes. Only set if the first plan costs so much that a far cheaper plan may exist. */
  readonly #free: Packer | undefined
  readonly #packer: Packer
  #work = 0

  constructor(model: Model, first: readonly Bin[], budget: number) {
    this.#model = model
    this.#first = first
    this.#budget = budget
    this.#prices = new Prices(model)
    this.#limits = new BinLimits(model)
    this.#mean = binsCost(first, 0) / first.length
    this.#usualNodes = first.length >= LARGE_PLAN ? Math.floor(first.length * 1.1) : Number.POSITIVE_INFINITY
    const columns = generateColumns(model, COARSE)
    const createPacker = (own: readonly Column[]): Packer =>
      new Packer(model, this.#prices, own, FIRST_SURCHARGE * this.#mean)
    if (first.length < LARGE_PLAN) {
      this.#packer = createPacker(columns)
      return
    }
    const costs = new LeastCosts(columns, model)
    const least = costs.total / first.length
    if (least < (1 - LARGE_GAIN) * this.#mean) this.#free = createPacker(costs.efficientColumns(LEAST_NODE * least))
    this.#packer = createPacker(costs.efficientColumns(LEAST_NODE * this.#mean))
  }

  /** Returns whether a plan has few enough nodes and respects the limits of the pools. */
  readonly #isAllowed = (bins: readonly Bin[]): boolean => this.#mayHave(bins) && this.#limits.holds(bins)

  improve(): Improvement {
    const { bins: covered, packer } = this.#fromScratch()
    if (!isSmall(this.#model)) {
      const relaxed = this.#relaxed(packer, covered)
      return this.#searched(packer, relaxed.bins, relaxed.worths)
    }
    let known = covered
    let duals: Float64Array | undefined
    // The first round is enough for most batches. For other batches, a cheaper known plan helps the next round more than a larger budget.
    for (const share of EXACT_SHARES) {
      const exact = this.#exact(known, share)
      if (exact.isProven) {
        const best = exact.bins === undefined ? this.#firstPlan : this.#written(exact.bins, this.#exactSurcharge, 0)
        if (best === undefined) break
        const { claims } = this.#withFewerNodes(best)
        return { claims, work: this.#work, isProven: true }
      }
      duals = exact.duals
      known = this.#search(packer, known, [packer.worths()], PROBE_SHARE)
    }
    const worths = [packer.worths(), ...(duals === undefined ? [] : [duals])]
    return this.#searched(packer, known, worths)
  }

  /** Returns the better of a plan and a plan based on the linear program, and the worths of pods in both. */
  #relaxed(packer: Packer, known: readonly Bin[]): { bins: readonly Bin[]; worths: readonly Float64Array[] } {
    const own = packer.worths()
    const { podSets } = this.#model
    const pods = podSets.reduce((sum, podSet) => sum + podSet.pods.length, 0)
    const isWorthIt = podSets.length <= MOST_ROWS && pods >= LEAST_REPEATS * podSets.length
    const relaxation = isWorthIt ? Relaxation.of(packer, packer.columns, 1e-6 * this.#mean) : undefined
    if (relaxation === undefined) return { bins: known, worths: [own] }
    for (const bin of new Set(known)) if (bin.fixed < 0) relaxation.master.add(toPattern(bin, packer))
    relaxation.solve('quick', Math.min(RELAXED_SHARE * this.#budget, this.#budget - this.#work))
    this.#work += relaxation.work
    const duals = relaxation.master.duals.map((dual) => Math.max(0, dual))
    const before = packer.work
    packer.mostWork = before + this.#budget - this.#work
    const bins = coverAll(this.#model, packer, duals, this.#isAllowed, relaxation.whole())
    this.#work += packer.work - before
    const isBetter = bins !== undefined && binsCost(bins, packer.surcharge) < binsCost(known, packer.surcharge) - 1e-12
    return { bins: isBetter ? bins : known, worths: [own, duals] }
  }

  /** Improves a plan by ruin-and-recreate search, with at most a share of the budget. */
  #search(packer: Packer, start: readonly Bin[], worths: readonly Float64Array[], share: number): readonly Bin[] {
    const budget = Math.min(share * this.#budget, this.#budget - this.#work)
    return this.#searchWith(packer, start, worths, { budget })
  }

  #searchWith(
    packer: Packer,
    start: readonly Bin[],
    worths: readonly Float64Array[],
    rules: Pick<SearchRules, 'budget' | 'mostCost' | 'cheapestOf'>,
  ): readonly Bin[] {
    const before = packer.work
    packer.mostWork = Number.POSITIVE_INFINITY
    const bins = search(packer, start, worths, {
      ...rules,
      fruitlessWork: FRUITLESS_SHARE * this.#budget,
      mostNodes: Math.max(this.#usualNodes, start.length),
      limits: this.#limits.use(start),
      empty: (bin) => fixedBin(this.#model, this.#prices, bin.fixed),
    })
    this.#work += packer.work - before
    return bins
  }

  /**
   * Returns a plan that has fewer nodes than the proven cheapest plan, and that costs at most the allowed share more. Returns the cheapest
   * plan if none is found.
   */
  #withFewerNodes(best: WrittenPlan): WrittenPlan {
    const mostCost = this.#mostCost(best)
    if (mostCost === undefined) return best
    const budgetPerTry = (work: number): number =>
      Math.min(FEWER_SHARE * this.#budget, this.#budget - this.#work - work)
    const { bins, work } = fewerNodesExactly(this.#model, this.#prices, this.#limits, best.bins, mostCost, budgetPerTry)
    this.#work += work
    return (bins && this.#writtenWithin(bins, mostCost)) ?? best
  }

  /** Improves a plan by ruin-and-recreate search, then looks for a plan with fewer nodes. */
  #searched(packer: Packer, start: readonly Bin[], worths: readonly Float64Array[]): Improvement {
    const left = 1 - this.#work / this.#budget
    const found = this.#search(packer, start, worths, Math.max(0, left - FEWER_SHARE))
    let bins = found
    const cost = binsCost(found, 0)
    for (const share of this.#model.prefersFewerNodes ? FEWER_SURCHARGES : []) {
      const dearer = packer.with(share * this.#mean)
      const fewer = this.#search(dearer, bins, worths, FEWER_SHARE / FEWER_SURCHARGES.length)
      const isFewer = fewer.length < bins.length && binsCost(fewer, 0) <= cost
      if (isFewer || (fewer.length === bins.length && binsCost(fewer, 0) < binsCost(bins, 0))) bins = fewer
    }
    const fewest = this.#inFewer(packer, bins, worths, binsCost(bins, 0), AT_EQUAL_COST)
    let best: WrittenPlan | undefined
    for (const plan of new Set([fewest, bins, found])) best ??= this.#written(plan, packer.surcharge, LEAST_GAIN)
    const { claims } = best === undefined ? this.#firstPlan : this.#searchedInFewer(packer, best, worths)
    return { claims, work: this.#work, isProven: false }
  }

  /** Returns a plan with fewer nodes whose extra cost over `best` is within the allowed share. Returns `best` if there is none. */
  #searchedInFewer(packer: Packer, best: WrittenPlan, worths: readonly Float64Array[]): WrittenPlan {
    const mostCost = this.#mostCost(best)
    if (mostCost === undefined) return best
    const bins = this.#inFewer(packer, best.bins, worths, mostCost, AT_HIGHER_COST)
    return (bins.length < best.bins.length ? this.#writtenWithin(bins, mostCost) : undefined) ?? best
  }

  /** Returns the plan with cheap nodes replaced by fewer nodes, if the whole plan then costs at most `mostCost`. */
  #inFewer(
    packer: Packer,
    bins: readonly Bin[],
    worths: readonly Float64Array[],
    mostCost: number,
    { surcharge, cheapestOf, share }: typeof AT_EQUAL_COST,
  ): readonly Bin[] {
    if (!this.#model.prefersFewerNodes) return bins
    const rules = { budget: share * this.#budget, mostCost: mostCost + 1e-9, cheapestOf }
    return this.#searchWith(packer.with(surcharge * this.#mean), bins, worths, rules)
  }

  /** Returns the maximum cost of a plan with fewer nodes; `undefined` if such a plan must not cost more than `best`. */
  #mostCost({ cost }: WrittenPlan): number | undefined {
    const { prefersFewerNodes, fewerNodesCostShare } = this.#model
    return prefersFewerNodes && fewerNodesCostShare > 0 ? cost * (1 + fewerNodesCostShare) : undefined
  }

  /** Returns whether a plan has at most the usual number of nodes, or is so much cheaper that additional nodes pay off. */
  #mayHave(bins: readonly Bin[]): boolean {
    if (bins.length <= this.#usualNodes || !this.#model.prefersFewerNodes) return true
    const surcharge = LAST_SURCHARGE * this.#mean
    return binsCost(bins, surcharge) <= binsCost(this.#first, surcharge) * (1 - LARGE_GAIN)
  }

  get #exactSurcharge(): number {
    return EXACT_SURCHARGE * this.#mean
  }

  /** The first plan. Its claims already exist. */
  get #firstPlan(): WrittenPlan {
    return { bins: this.#first, claims: undefined, cost: binsCost(this.#first, 0) }
  }

  /** Returns a plan with its claims if it is cheaper than the first plan by at least the fraction `gain`. */
  #written(bins: readonly Bin[], surcharge: number, gain: number): WrittenPlan | undefined {
    const mostCost = binsCost(this.#first, surcharge) * (1 - gain)
    if (binsCost(bins, surcharge) > mostCost) return undefined
    return this.#writtenWithin(bins, mostCost, surcharge)
  }

  /** Returns a plan with its claims if they cost at most `mostCost`, including the surcharge for each node. */
  #writtenWithin(bins: readonly Bin[], mostCost: number, surcharge = 0): WrittenPlan | undefined {
    const written = materialise(this.#model, this.#prices, bins, mostCost, surcharge)
    return written === undefined ? undefined : { bins, ...written }
  }

  /** Returns the best plan from scratch, or the first plan if none is cheaper, and the packer with the surcharge that was used. */
  #fromScratch(): { readonly bins: readonly Bin[]; readonly packer: Packer } {
    const free = this.#free === undefined ? undefined : this.#covered(this.#free)
    if (free !== undefined && this.#free !== undefined) return { bins: free, packer: this.#free }
    // A higher surcharge leads to fewer and larger nodes. The best surcharge is the lowest one that leads to a plan with few enough nodes.
    for (const share of SURCHARGES) {
      const packer = this.#packer.with(share * this.#mean)
      const bins = this.#covered(packer)
      if (bins === undefined) continue
      if (binsCost(bins, packer.surcharge) >= binsCost(this.#first, packer.surcharge)) break
      return { bins, packer }
    }
    return { bins: this.#first, packer: this.#packer }
  }

  #covered(packer: Packer): readonly Bin[] | undefined {
    packer.mostWork = COVER_SHARE * this.#budget - this.#work
    const bins = coverAll(this.#model, packer, packer.worths(), this.#isAllowed)
    this.#work += packer.work
    return bins
  }

  /** Looks for the cheapest plan. `bins` is set only if the plan is cheaper than the first one. */
  #exact(covered: readonly Bin[], share: number): Exact {
    const columns = generateColumns(this.#model, EVERY_COLUMN)
    const packer = new Packer(this.#model, this.#prices, columns, this.#exactSurcharge)
    const surcharge = packer.surcharge
    const isBetter = binsCost(covered, surcharge) < binsCost(this.#first, surcharge) * (1 - 1e-9)
    const known = binsCost(isBetter ? covered : this.#first, surcharge)
    const exact = exactPlan(packer, columns, known, Math.min(share * this.#budget, this.#budget - this.#work))
    this.#work += exact.work
    return isBetter && exact.isProven && exact.bins === undefined ? { ...exact, bins: covered } : exact
  }
}
