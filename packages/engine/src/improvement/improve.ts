import { entryAt, floatAt, intAt, wordAt } from '../column.ts'
import type { ConstraintsId } from '../model/ids.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Run } from '../packing/packing-run.ts'
import { type Bin, binsCost, NO_FIXED_PODS } from './bin.ts'
import { BinLimits } from './bin-limits.ts'
import { COARSE, type Column, EVERY_COLUMN, generateColumns } from './columns.ts'
import { LeastCosts } from './efficient-columns.ts'
import { type Exact, exactPlan, isSmall } from './exact.ts'
import { NO_FLEXIBILITY } from './flexibility.ts'
import { materialise } from './materialise.ts'
import { buildModel, type Model } from './model.ts'
import { type FillOrder, fillOrders, MANY_OPEN } from './node-filler.ts'
import { Packer } from './packer.ts'
import { Prices } from './prices.ts'
import { Relaxation, toPattern } from './relaxation.ts'
import { type SearchRules, search, takeAdded } from './search.ts'
import type { Shape } from './shapes.ts'

export { defaultBudget, trialsWithin } from './budget.ts'

/** The fill orders for plans from scratch. The lists are tried one after the other. */
const ORDERS: readonly (readonly FillOrder[])[] = [fillOrders, ['worth'], ['balance']]
/** With many pod sets, the fill order `balance` is slow, so it comes after orders that always result in a plan. */
const FEW_ORDERS: readonly (readonly FillOrder[])[] = [['worth', 'size'], fillOrders]
const MANY_SHAPES = 150
/** With very many shapes the fill order `balance` is by far the fastest. */
const BALANCE_FIRST: readonly (readonly FillOrder[])[] = [['balance'], fillOrders]
/** The fraction of the budget for plans from scratch. They come first, because they save most. */
const COVER_SHARE = 0.6

/** A plan replaces the first one only if it is cheaper by at least this fraction. */
const LEAST_GAIN = 0.01
const FIRST_SURCHARGE = 0.01
const LAST_SURCHARGE = 0.1
/**
 * The surcharges per node for a plan from scratch, as fractions of the mean node price of the first plan. They are tried in this order, and
 * the first plan that respects the limit on the number of nodes is taken.
 */
const SURCHARGES = [FIRST_SURCHARGE, 0.025, 0.05, LAST_SURCHARGE]
/** If the first plan has at least this many nodes, a plan may have at most a tenth more nodes, unless it is far cheaper. */
const LARGE_PLAN = 20
/** A plan may have any number of nodes if it is cheaper by this fraction, even with the last surcharge for each node. */
const LARGE_GAIN = 0.25
/**
 * The minimum price of the offerings for which a large plan from scratch opens nodes. It is a fraction of the mean node price, of the first
 * plan or the lowest possible one. A finished node gets the cheapest offering that holds its pods, so the last nodes become small anyway.
 */
const LEAST_NODE = 0.25

/**
 * The surcharge per node in exact plans, as a fraction of the mean node price. Its only effect is that the search prefers fewer nodes at
 * equal cost.
 */
const EXACT_SURCHARGE = 1e-7
/** The fractions of the budget for the rounds of the exact search. */
const EXACT_SHARES = [0.05, 0.75]
/** The fraction of the budget for a search between the rounds of the exact search. */
const PROBE_SHARE = 0.05
/** The fraction of the budget for the linear program. */
const RELAXED_SHARE = 0.3
/** If there are more pod sets than this, the linear program is not used, because it would be too slow. */
const MOST_ROWS = 150
/** If there are fewer pods per pod set than this, the linear program is not used, because it would gain little. */
const LEAST_REPEATS = 8
/** If a search finds nothing within this fraction of the budget, it ends. */
const FRUITLESS_SHARE = 0.3

/** Plans whose costs differ by at most this fraction cost nearly the same. Of these, the plan with fewer nodes is better. */
const NEARLY = 0.005
/** The number of attempts to find a plan with fewer nodes. */
const FEWER_TRIES = 5
/** The fraction of the budget for each attempt to find a plan with fewer nodes. */
const FEWER_SHARE = 0.1
/** The surcharges per node in the search for a plan with fewer nodes, as fractions of the mean node price. */
const FEWER_SURCHARGES = [0.1, 0.05]
/**
 * Settings of the search that replaces cheap nodes by fewer nodes. The surcharge per node, as a fraction of the mean node price, exceeds
 * any possible saving. Each node to take apart is the cheapest of `cheapestOf` random ones. `share` is the fraction of the budget that this
 * search may spend in addition to the budget.
 */
const CHEAP = { surcharge: 3, cheapestOf: 8, share: 0.04 }

/** A cheaper set of claims for the same pods, and the work that it took. `claims` is `undefined` if the first plan is kept. */
export interface Improvement {
  readonly claims: readonly PackedClaim[] | undefined
  readonly work: number
  /** Whether it is proven that no plan on nodes of these pools is cheaper for these pods. Plans that move fixed pods are not considered. */
  readonly isProven: boolean
}

/** Looks for a cheaper plan, with at most `budget` units of work. */
export const improve = (run: Run, budget: number): Improvement => {
  const model = buildModel(run)
  const first = model === undefined ? undefined : firstBins(model)
  if (model === undefined || first === undefined) return { claims: undefined, work: 0, isProven: false }
  return new Improver(model, first, budget).improve()
}

/**
 * Searches for a cheaper plan. Terms: a column is an offering for which nodes are filled. The worth of a pod is how much a plan may pay for
 * placing it. Duals are the worths that the linear program computes. The surcharge is added to the price of each node.
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
    const packerOf = (own: readonly Column[]): Packer =>
      new Packer(model, this.#prices, own, FIRST_SURCHARGE * this.#mean)
    if (first.length < LARGE_PLAN) {
      this.#packer = packerOf(columns)
      return
    }
    const costs = new LeastCosts(columns, model)
    const least = costs.total / first.length
    if (least < (1 - LARGE_GAIN) * this.#mean) this.#free = packerOf(costs.efficientColumns(LEAST_NODE * least))
    this.#packer = packerOf(costs.efficientColumns(LEAST_NODE * this.#mean))
  }

  /** Returns whether a plan respects the limit on the number of nodes and the limits of the pools. */
  readonly #isAllowed = (bins: readonly Bin[]): boolean => this.#mayHave(bins) && this.#limits.holds(bins)

  improve(): Improvement {
    const { bins: covered, packer } = this.#fromScratch()
    if (!isSmall(this.#model)) {
      const relaxed = this.#relaxed(packer, covered)
      return this.#searched(packer, relaxed.bins, relaxed.worths)
    }
    let known = covered
    let duals: Float64Array | undefined
    // The first round is enough for most batches. For the other batches, knowing a cheaper plan helps the next round more than a larger
    // budget.
    for (const share of EXACT_SHARES) {
      const exact = this.#exact(known, share)
      if (exact.isProven) {
        const best = exact.bins ?? this.#first
        const bins = this.#withFewerNodes(best)
        const claims =
          bins === this.#first ? undefined : this.#claims(bins, this.#exactSurcharge, bins === best ? 0 : -NEARLY)
        if (bins === this.#first || claims !== undefined) return { claims, work: this.#work, isProven: true }
        break
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
   * Of the plans that cost nearly the same as the cheapest, returns one with fewer nodes. With a surcharge for each node, such a plan is
   * the cheapest. The first surcharge is the largest difference that counts as nearly the same cost. It is halved until the resulting plan
   * costs nearly the same without the surcharge.
   */
  #withFewerNodes(best: readonly Bin[]): readonly Bin[] {
    if (!this.#model.prefersFewerNodes) return best
    const cost = binsCost(best, 0)
    const columns = generateColumns(this.#model, EVERY_COLUMN)
    for (let surcharge = NEARLY * cost, tries = 0; tries < FEWER_TRIES; surcharge /= 2, tries++) {
      const packer = new Packer(this.#model, this.#prices, columns, surcharge)
      const budget = Math.min(FEWER_SHARE * this.#budget, this.#budget - this.#work)
      const { bins, work } = exactPlan(packer, columns, binsCost(best, surcharge), budget)
      this.#work += work
      // If no plan is better with this surcharge, none is better with a lower one.
      if (bins === undefined) return best
      if (binsCost(bins, 0) <= cost * (1 + NEARLY) && this.#limits.holds(bins)) return bins
    }
    return best
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
      const isFewer = fewer.length < bins.length && binsCost(fewer, 0) <= cost * (1 + NEARLY)
      if (isFewer || (fewer.length === bins.length && binsCost(fewer, 0) < binsCost(bins, 0))) bins = fewer
    }
    const fewest = this.#inFewer(packer, bins, worths)
    let claims: readonly PackedClaim[] | undefined
    for (const plan of new Set([fewest, bins, found])) claims ??= this.#claims(plan, packer.surcharge, LEAST_GAIN)
    return { claims, work: this.#work, isProven: false }
  }

  /** Returns the plan with cheap nodes replaced by fewer nodes, if the whole plan then costs no more. */
  #inFewer(packer: Packer, bins: readonly Bin[], worths: readonly Float64Array[]): readonly Bin[] {
    if (!this.#model.prefersFewerNodes) return bins
    const dearer = packer.with(CHEAP.surcharge * this.#mean)
    const mostCost = binsCost(bins, 0) + 1e-9
    const { cheapestOf, share } = CHEAP
    return this.#searchWith(dearer, bins, worths, { budget: share * this.#budget, mostCost, cheapestOf })
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

  /** Returns the claims of a plan if it is cheaper than the first plan by at least the fraction `gain`. */
  #claims(bins: readonly Bin[], surcharge: number, gain: number): readonly PackedClaim[] | undefined {
    const mostCost = binsCost(this.#first, surcharge) * (1 - gain)
    if (binsCost(bins, surcharge) > mostCost) return undefined
    return materialise(this.#model, this.#prices, bins, mostCost, surcharge)
  }

  /** Returns the best plan from scratch, or the first plan if none is cheaper, and the packer with the surcharge that was used. */
  #fromScratch(): { readonly bins: readonly Bin[]; readonly packer: Packer } {
    const free = this.#free === undefined ? undefined : this.#covered(this.#free)
    if (free !== undefined && this.#free !== undefined) return { bins: free, packer: this.#free }
    // A higher surcharge leads to fewer and larger nodes. The lowest surcharge with which the plan respects the limit on the number of
    // nodes is best.
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

const ordersOf = ({ shapes }: Model): readonly (readonly FillOrder[])[] => {
  if (shapes.length > MANY_OPEN) return BALANCE_FIRST
  return shapes.length > MANY_SHAPES ? FEW_ORDERS : ORDERS
}

/** Returns the first plan as bins, for the search to start from and to compare with; `undefined` if the price of a node is unknown. */
const firstBins = (model: Model): readonly Bin[] | undefined => {
  const bins: Bin[] = []
  for (const [number, { template, constraints, used, entries, fixed }] of model.claims.entries()) {
    const price = firstPrice(model, constraints, used)
    if (price === undefined) return undefined
    const podSets = entries.map(([podSet]) => podSet)
    const counts = entries.map(([, count]) => count)
    bins.push({ template, constraints, used, podSets, counts, price, fixed: fixed.length > 0 ? number : NO_FIXED_PODS })
  }
  return bins
}

/** Returns the price of a claim of the first plan, regardless of how much choice it has; `undefined` if the price is unknown. */
const firstPrice = (model: Model, constraintsId: ConstraintsId, used: Float64Array): number | undefined => {
  const { index, offerings } = model.constraintsTable.get(constraintsId)
  for (let number = 0; number < index.template.offerings.length; number++) {
    if ((wordAt(offerings, number >>> 5) & (1 << (number & 31))) === 0 || !index.fits(number, used)) continue
    const price = index.template.offerings[number]?.price
    return price === undefined || price === UNKNOWN_PRICE ? undefined : price + model.nodeOverheadCost
  }
  return undefined
}

/** Returns the bin with only the fixed pods of a claim; `undefined` if it has none. */
const fixedBin = (model: Model, prices: Prices, number: number): Bin | undefined => {
  const claim = model.claims[number]
  if (claim === undefined || claim.fixed.length === 0) return undefined
  const price = prices.of(claim.fixedConstraints, claim.fixedUsed, NO_FLEXIBILITY)
  if (price === undefined) return undefined
  const { template, fixedConstraints, fixedUsed } = claim
  return { template, constraints: fixedConstraints, used: fixedUsed, podSets: [], counts: [], price, fixed: number }
}

/**
 * Packs all pods from scratch with each list of fill orders, and returns the best plan; `undefined` if none is allowed. The nodes in
 * `begun` are not changed.
 */
const coverAll = (
  model: Model,
  packer: Packer,
  worths: Float64Array,
  isAllowed: (bins: readonly Bin[]) => boolean,
  begun: readonly Bin[] = [],
): Bin[] | undefined => {
  const fixed = model.claims.flatMap((_, number) => fixedBin(model, packer.prices, number) ?? [])
  const worthOf = ({ podSets }: Shape): number => floatAt(worths, entryAt(podSets, 0))
  const byWorth = model.shapes.toSorted((a, b) => worthOf(b) - worthOf(a) || a.id - b.id)
  let best: Bin[] | undefined
  for (const orders of ordersOf(model)) {
    const left = Int32Array.from(model.podSets, ({ pods }) => pods.length)
    for (const { podSets, counts } of begun) {
      for (const [place, podSet] of podSets.entries()) left[podSet] = intAt(left, podSet) - entryAt(counts, place)
    }
    const kept = [...fixed]
    for (const [place, bin] of kept.entries()) {
      const fuller = packer.refill(bin, byWorth, left)
      if (fuller === undefined) continue
      takeAdded(left, bin, fuller)
      kept[place] = fuller
    }
    const added = packer.cover(left, worths, orders)
    if (added === undefined) continue
    const bins = [...kept, ...begun, ...added]
    if (!isAllowed(bins)) continue
    if (best === undefined || binsCost(bins, packer.surcharge) < binsCost(best, packer.surcharge) - 1e-12) best = bins
  }
  return best
}
