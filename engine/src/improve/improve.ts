import { NO_STATE } from '../catalogue/states.ts'
import type { PackedClaim } from '../claims/finalise.ts'
import { PoolLimits } from '../solve/limits.ts'
import type { Run } from '../solve/run.ts'
import type { BatchPod } from '../solve/world.ts'
import { type Bin, costOf } from './bin.ts'
import { COARSE, columnsOf } from './columns.ts'
import { joinKind, type Model, modelOf } from './model.ts'
import { type FillOrder, fillOrders, Packer } from './packer.ts'
import { Prices } from './prices.ts'
import { search, takeAdded } from './search.ts'

/** Ways to fill nodes that a plan from scratch is made with. */
const ALL_ORDERS: readonly (readonly FillOrder[])[] = [fillOrders, ['worth'], ['balance']]
/** With many kinds the balanced way takes too long. */
const FEW_ORDERS: readonly (readonly FillOrder[])[] = [['worth', 'size']]
const MANY_KINDS = 150
/** The share of the budget that plans from scratch may take: they gain most, so they come first. */
const COVER_SHARE = 0.6

/** A cheaper plan must be cheaper by this much, or the first one stays. */
const LEAST_GAIN = 0.01
/** Price of having one node more, as a share of the mean price of a node of the first plan: tried in turn. */
const FIRST_SURCHARGE = 0.01
const SURCHARGES = [FIRST_SURCHARGE, 0.025, 0.05, 0.1]
/** With at least this many nodes there may be a tenth more of them, not above. */
const LARGE_PLAN = 20

/** Looks at a kind of pods for a node that are done in a millisecond on an ordinary machine. */
const LOOKS_PER_MILLISECOND = 8_000
/** Pods of a batch that the whole of a budget is meant for; larger ones get more. */
const USUAL_BATCH = 1_000

/**
 * The work that a budget stands for: about that many milliseconds on an ordinary machine for a batch of up to a thousand
 * pods, more for a larger one. Counted in work, so that the same input gives the same plan on every machine.
 */
export const workOf = (milliseconds: number, pods: number): number =>
  Math.round(
    milliseconds * LOOKS_PER_MILLISECOND * Math.sqrt(Math.max(1, Math.min(pods, 16 * USUAL_BATCH) / USUAL_BATCH)),
  )

/** What a plan may take to become cheaper when nobody says otherwise. */
const DEFAULT_BUDGET = 200

/** Work that is worth its time, by the number of pods. */
export const defaultBudget = (pods: number): number => workOf(DEFAULT_BUDGET, pods)

/** A cheaper set of claims for the same pods, and the work it took; `undefined` claims if the first plan stays. */
export interface Improvement {
  readonly claims: readonly PackedClaim[] | undefined
  readonly work: number
}

/** Looks for a cheaper plan, with at most `budget` units of work. */
export const improve = (run: Run, budget: number): Improvement => {
  const model = modelOf(run)
  const first = model === undefined ? undefined : firstBins(model)
  if (model === undefined || first === undefined) return { claims: undefined, work: 0 }
  const prices = new Prices(model.states)
  const firstCost = costOf(first, 0)
  const mean = firstCost / first.length
  const mostNodes = first.length >= LARGE_PLAN ? Math.floor(first.length * 1.1) : Number.POSITIVE_INFINITY
  const columns = columnsOf(model, COARSE)
  if (columns.length === 0) return { claims: undefined, work: 0 }
  let start: readonly Bin[] = first
  let packer = new Packer(model, prices, columns, FIRST_SURCHARGE * mean)
  let work = 0
  // A higher price for having a node makes fewer and larger ones: the lowest that keeps to the number is best.
  for (const share of SURCHARGES) {
    const own = new Packer(model, prices, columns, share * mean)
    own.mostWork = COVER_SHARE * budget - work
    const bins = coverAll(model, own, mostNodes)
    work += own.work
    if (bins === undefined) continue
    if (costOf(bins, own.surcharge) >= costOf(first, own.surcharge)) break
    start = bins
    packer = own
    break
  }
  const empty = (bin: Bin): Bin | undefined => fixedBin(model, prices, bin.fixed)
  const before = packer.work
  packer.mostWork = Number.POSITIVE_INFINITY
  const bins = search(packer, start, [packer.worths()], { budget: Math.max(0, budget - work), mostNodes, empty })
  work += packer.work - before
  if (costOf(bins, packer.surcharge) > costOf(first, packer.surcharge) * (1 - LEAST_GAIN)) {
    return { claims: undefined, work }
  }
  const mostCost = costOf(first, packer.surcharge) * (1 - LEAST_GAIN)
  return { claims: materialise(model, prices, bins, mostCost, packer.surcharge), work }
}

/** The first plan as bins, to begin with and to compare with. */
const firstBins = (model: Model): readonly Bin[] | undefined => {
  const bins: Bin[] = []
  for (const [number, { template, state, used, entries, fixed }] of model.claims.entries()) {
    const price = firstPrice(model, state, used)
    if (price === undefined) return undefined
    const kinds = entries.map(([kind]) => kind)
    const counts = entries.map(([, count]) => count)
    bins.push({ template, state, used, kinds, counts, price, fixed: fixed.length > 0 ? number : -1 })
  }
  return bins
}

/** What a claim of the first plan costs, whatever choice it leaves. */
const firstPrice = (model: Model, stateId: number, used: Float64Array): number | undefined => {
  const { index, offerings } = model.states.get(stateId)
  for (let number = 0; number < index.template.offerings.length; number++) {
    if (((offerings[number >>> 5] ?? 0) & (1 << (number & 31))) === 0 || !index.fits(number, used)) continue
    return index.template.offerings[number]?.price
  }
  return undefined
}

const NO_CHOICE = { types: 0, zones: 0 }

/** The bin of a claim whose fixed pods are alone in it. */
const fixedBin = (model: Model, prices: Prices, number: number): Bin | undefined => {
  const claim = model.claims[number]
  if (claim === undefined || claim.fixed.length === 0) return undefined
  const price = prices.of(claim.fixedState, claim.fixedUsed, NO_CHOICE)
  if (price === undefined) return undefined
  const { template, fixedState, fixedUsed } = claim
  return { template, state: fixedState, used: fixedUsed, kinds: [], counts: [], price, fixed: number }
}

/** All pods packed anew, by the best of several ways to fill nodes; `undefined` if none keeps to the number of nodes. */
const coverAll = (model: Model, packer: Packer, mostNodes: number): Bin[] | undefined => {
  const worths = packer.worths()
  const fixed = model.claims.flatMap((_, number) => fixedBin(model, packer.prices, number) ?? [])
  const byWorth = model.kinds.toSorted((a, b) => (worths[b.id] ?? 0) - (worths[a.id] ?? 0) || a.id - b.id)
  let best: Bin[] | undefined
  for (const orders of model.kinds.length > MANY_KINDS ? FEW_ORDERS : ALL_ORDERS) {
    const left = Int32Array.from(model.kinds, ({ pods }) => pods.length)
    const kept = [...fixed]
    for (const [place, bin] of kept.entries()) {
      const fuller = packer.refill(bin, byWorth, left)
      if (fuller === undefined) continue
      takeAdded(left, bin, fuller)
      kept[place] = fuller
    }
    const added = packer.cover(left, worths, orders)
    if (added === undefined) continue
    const bins = [...kept, ...added]
    if (bins.length > mostNodes) continue
    if (best === undefined || costOf(bins, packer.surcharge) < costOf(best, packer.surcharge) - 1e-12) best = bins
  }
  return best
}

/**
 * Claims for bins: each pod once, states made anew within what the limits of the pools leave, largest first. `undefined`
 * if a limit does not hold, or if what the limits leave costs more than `mostCost`.
 */
const materialise = (
  model: Model,
  prices: Prices,
  bins: readonly Bin[],
  mostCost: number,
  surcharge: number,
): readonly PackedClaim[] | undefined => {
  let cost = 0
  const { run, states, kinds, kept } = model
  const { world } = run
  const limits = world.templates.map((template) => new PoolLimits(template, world.poolUse, world.pods.length))
  const taken = new Int32Array(kinds.length)
  const claims: PackedClaim[] = []
  for (const claim of kept) {
    const state = states.get(claim.state)
    limits[state.index.template.index]?.take(state, claim.used)
    claims.push(claim)
  }
  for (const bin of bins.toSorted((a, b) => b.price - a.price)) {
    const limit = limits[bin.template]
    if (limit === undefined || limit.nodesExhausted) return undefined
    const allowed = limit.allowed(states)
    if (allowed === undefined) return undefined
    const fixed = model.claims[bin.fixed]
    let { state } = bin
    let { price }: { price: number | undefined } = bin
    if (allowed !== 0) {
      const root = states.root(bin.template, allowed)
      const empty = root === NO_STATE ? root : states.join(root, model.unreserved)
      state = fixed !== undefined && fixed.fixed.length > 0 ? fixed.fixedState : empty
      for (const kind of bin.kinds) {
        const entry = kinds[kind]
        if (state !== NO_STATE && entry !== undefined) state = joinKind(model, state, entry)
      }
      price = state === NO_STATE ? undefined : prices.of(state, bin.used, NO_CHOICE)
      if (price === undefined) return undefined
    }
    cost += price + surcharge
    if (cost > mostCost) return undefined
    limit.take(states.get(state), bin.used)
    const pods: BatchPod[] = fixed === undefined ? [] : [...fixed.fixed]
    for (const [place, kind] of bin.kinds.entries()) {
      const from = taken[kind] ?? 0
      const count = bin.counts[place] ?? 0
      for (const pod of kinds[kind]?.pods.slice(from, from + count) ?? []) pods.push(pod)
      taken[kind] = from + count
    }
    claims.push({ state, used: bin.used, pods, reservations: undefined })
  }
  return kinds.every(({ id, pods }) => taken[id] === pods.length) ? claims : undefined
}
