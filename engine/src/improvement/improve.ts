import { entryAt, floatAt, intAt, wordAt } from '../column.ts'
import type { ConstraintsId } from '../model/ids.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Run } from '../packing/packing-run.ts'
import { type Bin, costOf, NO_FIXED_PODS } from './bin.ts'
import { BinLimits } from './bin-limits.ts'
import { COARSE, type Column, columnsOf, EVERY_COLUMN } from './columns.ts'
import { LeastCosts } from './efficient-columns.ts'
import { type Exact, exactPlan, isSmall } from './exact.ts'
import { NO_FLEXIBILITY } from './flexibility.ts'
import { materialise } from './materialise.ts'
import { type Model, modelOf } from './model.ts'
import { type FillOrder, fillOrders, MANY_OPEN } from './node-filler.ts'
import { Packer } from './packer.ts'
import { Prices } from './prices.ts'
import { patternOf, Relaxation } from './relaxation.ts'
import { type SearchRules, search, takeAdded } from './search.ts'
import type { Shape } from './shapes.ts'

export { defaultBudget, workOf } from './budget.ts'

/** Ways to fill nodes that a plan from scratch is made with, one after the other. */
const ORDERS: readonly (readonly FillOrder[])[] = [fillOrders, ['worth'], ['balance']]
/** With many pod sets the balanced way takes long: it comes after one that surely gives a plan. */
const FEW_ORDERS: readonly (readonly FillOrder[])[] = [['worth', 'size'], fillOrders]
const MANY_SHAPES = 150
/** With very many that way is by far the quickest. */
const BALANCE_FIRST: readonly (readonly FillOrder[])[] = [['balance'], fillOrders]
/** The share of the budget that plans from scratch may take: they gain most, so they come first. */
const COVER_SHARE = 0.6

/** A cheaper plan must be cheaper by this much, or the first one stays. */
const LEAST_GAIN = 0.01
const FIRST_SURCHARGE = 0.01
const LAST_SURCHARGE = 0.1
/**
 * What a plan from scratch pays for each node on top of its price, as a share of the first plan's mean node price. Tried in
 * this order; the first that keeps to the number of nodes is taken.
 */
const SURCHARGES = [FIRST_SURCHARGE, 0.025, 0.05, LAST_SURCHARGE]
/** With at least this many nodes there may be a tenth more of them, not above, unless the plan is far cheaper. */
const LARGE_PLAN = 20
/** A plan may have any number of nodes when it is cheaper by this, even if each node costs the last of the surcharges more. */
const LARGE_GAIN = 0.25
/**
 * A large plan from scratch opens no nodes for offerings cheaper than this share of what a node of the first plan costs on
 * average, or must cost: nodes are priced by what is on them in the end, so the last ones become small by themselves.
 */
const LEAST_NODE = 0.25

/** What exact plans count for a node beside its price, as a share of its mean: only to prefer fewer at the same cost. */
const EXACT_SURCHARGE = 1e-7
/** The shares of the budget that the search for the cheapest plan of all may take, one after the other. */
const EXACT_SHARES = [0.05, 0.75]
/** The share that a search between them may take. */
const PROBE_SHARE = 0.05
/** The share that a linear program may take; with more pod sets it takes too long, with fewer pods of each it says little. */
const RELAXED_SHARE = 0.3
const MOST_ROWS = 150
const LEAST_REPEATS = 8
/** A search that found nothing for this share of the budget ends. */
const FRUITLESS_SHARE = 0.3

/** Plans that differ by no more cost nearly the same: the one with fewer nodes is better. */
const NEARLY = 0.005
/** How often, and with which share of the budget each time, a plan with fewer nodes is looked for. */
const FEWER_TRIES = 5
const FEWER_SHARE = 0.1
/** What a node more counts then, as shares of the mean price of a node. */
const FEWER_SURCHARGES = [0.1, 0.05]
/**
 * What a node more counts where cheap nodes are put into fewer, as a share of the mean price: more than it can save. The
 * nodes to take apart are each the cheapest of so many, and the share of the budget comes on top of the whole of it.
 */
const CHEAP = { surcharge: 3, cheapestOf: 8, share: 0.04 }

/** A cheaper set of claims for the same pods, and the work it took; `undefined` claims if the first plan stays. */
export interface Improvement {
  readonly claims: readonly PackedClaim[] | undefined
  readonly work: number
  /** No plan for these pods on nodes of these pools is cheaper, as far as they may be moved. */
  readonly isProven: boolean
}

/** Looks for a cheaper plan, with at most `budget` units of work. */
export const improve = (run: Run, budget: number): Improvement => {
  const model = modelOf(run)
  const first = model === undefined ? undefined : firstBins(model)
  if (model === undefined || first === undefined) return { claims: undefined, work: 0, isProven: false }
  return new Improver(model, first, budget).improve()
}

/**
 * Words used here: a column is an offering to fill a node with; a worth says what a pod of a pod set is worth to a plan; duals
 * are the worths that the linear program finds; the surcharge is what each node counts beside its price.
 */
class Improver {
  readonly #model: Model
  readonly #first: readonly Bin[]
  readonly #budget: number
  readonly #prices: Prices
  readonly #limits: BinLimits
  /** Mean price of a node of the first plan. */
  readonly #mean: number
  /** With so many nodes a plan need not be far cheaper. */
  readonly #usualNodes: number
  /** For plans that need not have few nodes, if the first plan costs so much that there may be one. */
  readonly #free: Packer | undefined
  readonly #packer: Packer
  #work = 0

  constructor(model: Model, first: readonly Bin[], budget: number) {
    this.#model = model
    this.#first = first
    this.#budget = budget
    this.#prices = new Prices(model)
    this.#limits = new BinLimits(model)
    this.#mean = costOf(first, 0) / first.length
    this.#usualNodes = first.length >= LARGE_PLAN ? Math.floor(first.length * 1.1) : Number.POSITIVE_INFINITY
    const columns = columnsOf(model, COARSE)
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

  /** Whether a plan keeps to the number of nodes and to the limits of the pools. */
  readonly #isAllowed = (bins: readonly Bin[]): boolean => this.#mayHave(bins) && this.#limits.holds(bins)

  improve(): Improvement {
    const { bins: covered, packer } = this.#fromScratch()
    if (!isSmall(this.#model)) {
      const relaxed = this.#relaxed(packer, covered)
      return this.#searched(packer, relaxed.bins, relaxed.worths)
    }
    let known = covered
    let duals: Float64Array | undefined
    // Most are solved at once; for the others a better plan to beat helps more than time.
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

  /** The better of a plan and what a linear program makes of its pods, and what they are worth to either. */
  #relaxed(packer: Packer, known: readonly Bin[]): { bins: readonly Bin[]; worths: readonly Float64Array[] } {
    const own = packer.worths()
    const { podSets } = this.#model
    const pods = podSets.reduce((sum, podSet) => sum + podSet.pods.length, 0)
    const isWorthIt = podSets.length <= MOST_ROWS && pods >= LEAST_REPEATS * podSets.length
    const relaxation = isWorthIt ? Relaxation.of(packer, packer.columns, 1e-6 * this.#mean) : undefined
    if (relaxation === undefined) return { bins: known, worths: [own] }
    for (const bin of new Set(known)) if (bin.fixed < 0) relaxation.master.add(patternOf(bin, packer))
    relaxation.solve('quick', Math.min(RELAXED_SHARE * this.#budget, this.#budget - this.#work))
    this.#work += relaxation.work
    const duals = relaxation.master.duals.map((dual) => Math.max(0, dual))
    const before = packer.work
    packer.mostWork = before + this.#budget - this.#work
    const bins = coverAll(this.#model, packer, duals, this.#isAllowed, relaxation.whole())
    this.#work += packer.work - before
    const isBetter = bins !== undefined && costOf(bins, packer.surcharge) < costOf(known, packer.surcharge) - 1e-12
    return { bins: isBetter ? bins : known, worths: [own, duals] }
  }

  /** What the search makes of a plan with at most a share of the budget. */
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
   * Of the plans that cost nearly as little as the cheapest there is, one with fewer nodes: the cheapest when each node costs more, as much
   * more as such a plan allows.
   */
  #withFewerNodes(best: readonly Bin[]): readonly Bin[] {
    if (!this.#model.prefersFewerNodes) return best
    const cost = costOf(best, 0)
    const columns = columnsOf(this.#model, EVERY_COLUMN)
    for (let surcharge = NEARLY * cost, tries = 0; tries < FEWER_TRIES; surcharge /= 2, tries++) {
      const packer = new Packer(this.#model, this.#prices, columns, surcharge)
      const budget = Math.min(FEWER_SHARE * this.#budget, this.#budget - this.#work)
      const { bins, work } = exactPlan(packer, columns, costOf(best, surcharge), budget)
      this.#work += work
      // What is no better with dearer nodes is no better with cheaper ones.
      if (bins === undefined) return best
      if (costOf(bins, 0) <= cost * (1 + NEARLY) && this.#limits.holds(bins)) return bins
    }
    return best
  }

  /** What the search makes of a plan, and what it makes of that with fewer nodes. */
  #searched(packer: Packer, start: readonly Bin[], worths: readonly Float64Array[]): Improvement {
    const left = 1 - this.#work / this.#budget
    const found = this.#search(packer, start, worths, Math.max(0, left - FEWER_SHARE))
    let bins = found
    const cost = costOf(found, 0)
    for (const share of this.#model.prefersFewerNodes ? FEWER_SURCHARGES : []) {
      const dearer = packer.with(share * this.#mean)
      const fewer = this.#search(dearer, bins, worths, FEWER_SHARE / FEWER_SURCHARGES.length)
      const isFewer = fewer.length < bins.length && costOf(fewer, 0) <= cost * (1 + NEARLY)
      if (isFewer || (fewer.length === bins.length && costOf(fewer, 0) < costOf(bins, 0))) bins = fewer
    }
    const fewest = this.#inFewer(packer, bins, worths)
    let claims: readonly PackedClaim[] | undefined
    for (const plan of new Set([fewest, bins, found])) claims ??= this.#claims(plan, packer.surcharge, LEAST_GAIN)
    return { claims, work: this.#work, isProven: false }
  }

  /** The plan with cheap nodes put into fewer, wherever all of it then costs no more. */
  #inFewer(packer: Packer, bins: readonly Bin[], worths: readonly Float64Array[]): readonly Bin[] {
    if (!this.#model.prefersFewerNodes) return bins
    const dearer = packer.with(CHEAP.surcharge * this.#mean)
    const mostCost = costOf(bins, 0) + 1e-9
    const { cheapestOf, share } = CHEAP
    return this.#searchWith(dearer, bins, worths, { budget: share * this.#budget, mostCost, cheapestOf })
  }

  /** Whether a plan has no more nodes than usual, or is so much cheaper that each of them pays for itself. */
  #mayHave(bins: readonly Bin[]): boolean {
    if (bins.length <= this.#usualNodes || !this.#model.prefersFewerNodes) return true
    const surcharge = LAST_SURCHARGE * this.#mean
    return costOf(bins, surcharge) <= costOf(this.#first, surcharge) * (1 - LARGE_GAIN)
  }

  get #exactSurcharge(): number {
    return EXACT_SURCHARGE * this.#mean
  }

  /** Claims for a plan that is cheaper than the first by a share `gain`. */
  #claims(bins: readonly Bin[], surcharge: number, gain: number): readonly PackedClaim[] | undefined {
    const mostCost = costOf(this.#first, surcharge) * (1 - gain)
    if (costOf(bins, surcharge) > mostCost) return undefined
    return materialise(this.#model, this.#prices, bins, mostCost, surcharge)
  }

  /** The best plan from scratch, or the first one if none is cheaper, and the packer whose surcharge it was made with. */
  #fromScratch(): { readonly bins: readonly Bin[]; readonly packer: Packer } {
    const free = this.#free === undefined ? undefined : this.#covered(this.#free)
    if (free !== undefined && this.#free !== undefined) return { bins: free, packer: this.#free }
    // A higher price for having a node makes fewer and larger ones: the lowest that keeps to the number is best.
    for (const share of SURCHARGES) {
      const packer = this.#packer.with(share * this.#mean)
      const bins = this.#covered(packer)
      if (bins === undefined) continue
      if (costOf(bins, packer.surcharge) >= costOf(this.#first, packer.surcharge)) break
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

  /** The cheapest plan there is, if it can be found; `bins` only if it is cheaper than the first. */
  #exact(covered: readonly Bin[], share: number): Exact {
    const columns = columnsOf(this.#model, EVERY_COLUMN)
    const packer = new Packer(this.#model, this.#prices, columns, this.#exactSurcharge)
    const surcharge = packer.surcharge
    const isBetter = costOf(covered, surcharge) < costOf(this.#first, surcharge) * (1 - 1e-9)
    const known = costOf(isBetter ? covered : this.#first, surcharge)
    const exact = exactPlan(packer, columns, known, Math.min(share * this.#budget, this.#budget - this.#work))
    this.#work += exact.work
    return isBetter && exact.isProven && exact.bins === undefined ? { ...exact, bins: covered } : exact
  }
}

const ordersOf = ({ shapes }: Model): readonly (readonly FillOrder[])[] => {
  if (shapes.length > MANY_OPEN) return BALANCE_FIRST
  return shapes.length > MANY_SHAPES ? FEW_ORDERS : ORDERS
}

/** The first plan as bins, to begin with and to compare with; nothing if it has a node whose price nobody knows. */
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

/** What a claim of the first plan costs, whatever choice it leaves; nothing if nobody knows. */
const firstPrice = (model: Model, constraintsId: ConstraintsId, used: Float64Array): number | undefined => {
  const { index, offerings } = model.constraintsTable.get(constraintsId)
  for (let number = 0; number < index.template.offerings.length; number++) {
    if ((wordAt(offerings, number >>> 5) & (1 << (number & 31))) === 0 || !index.fits(number, used)) continue
    const price = index.template.offerings[number]?.price
    return price === undefined || price === UNKNOWN_PRICE ? undefined : price + model.nodeOverheadCost
  }
  return undefined
}

/** The bin of a claim whose fixed pods are alone in it. */
const fixedBin = (model: Model, prices: Prices, number: number): Bin | undefined => {
  const claim = model.claims[number]
  if (claim === undefined || claim.fixed.length === 0) return undefined
  const price = prices.of(claim.fixedConstraints, claim.fixedUsed, NO_FLEXIBILITY)
  if (price === undefined) return undefined
  const { template, fixedConstraints, fixedUsed } = claim
  return { template, constraints: fixedConstraints, used: fixedUsed, podSets: [], counts: [], price, fixed: number }
}

/**
 * All pods packed anew, by the best of several ways to fill nodes; `undefined` if none is allowed. The nodes of
 * `begun` are taken as they are.
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
    if (best === undefined || costOf(bins, packer.surcharge) < costOf(best, packer.surcharge) - 1e-12) best = bins
  }
  return best
}
