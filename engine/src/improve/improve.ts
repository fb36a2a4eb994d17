import { NO_STATE } from '../catalogue/states.ts'
import type { PackedClaim } from '../claims/finalise.ts'
import { PoolLimits } from '../solve/limits.ts'
import type { Run } from '../solve/run.ts'
import type { BatchPod } from '../solve/world.ts'
import { type Bin, priceOf } from './bin.ts'
import { columnsOf, joinKind } from './columns.ts'
import { type Model, modelOf } from './model.ts'
import { type FillOrder, fillOrders, Packer } from './packer.ts'
import { costOf, search } from './search.ts'

/** Ways to fill nodes that a plan from scratch is made with. */
const ALL_ORDERS: readonly (readonly FillOrder[])[] = [fillOrders, ['worth'], ['balance']]
/** With many kinds the balanced way takes too long. */
const FEW_ORDERS: readonly (readonly FillOrder[])[] = [['worth', 'size']]
const MANY_KINDS = 150
/** What plans from scratch may take, in budgets: they gain most, so they come first and may take longer. */
const COVER_SHARE = 3

/** A cheaper plan must be cheaper by this much, or the first one stays. */
const LEAST_GAIN = 0.01
/** Price of having one node more, as a share of the mean price of a node of the first plan: tried in turn. */
const FIRST_SURCHARGE = 0.01
const SURCHARGES = [FIRST_SURCHARGE, 0.025, 0.05, 0.1]
/** With at least this many nodes there may be a tenth more of them, not above. */
const LARGE_PLAN = 20

/**
 * The work that a budget stands for: about that many milliseconds on an ordinary machine for a batch of up to a thousand
 * pods, more for a larger one. Counted in work, so that the same input gives the same plan on every machine.
 */
export const workOf = (milliseconds: number, pods: number): number =>
  Math.round(Math.min(100 * milliseconds, 5 * milliseconds * pods) + (milliseconds / 200) * Math.min(40_000, 4 * pods))

/** What a plan may take to become cheaper when nobody says otherwise. */
const DEFAULT_BUDGET = 200

/** Work that is worth its time, by the number of pods: some 50 ms for a small batch, 0.2 s for 10,000. */
export const defaultBudget = (pods: number): number => workOf(DEFAULT_BUDGET, pods)

/** A cheaper set of claims for the same pods, and the work it took; `undefined` if the first plan stays. */
export const improve = (run: Run, budget: number): { claims: readonly PackedClaim[]; work: number } | undefined => {
  const model = modelOf(run)
  if (model === undefined) return undefined
  const first = firstBins(model)
  if (first === undefined) return undefined
  const firstCost = costOf(first, 0)
  const mean = firstCost / first.length
  const mostNodes = first.length >= LARGE_PLAN ? Math.floor(first.length * 1.1) : Number.POSITIVE_INFINITY
  const columns = columnsOf(model)
  if (columns.length === 0) return undefined
  let start: Bin[] = first
  let packer = new Packer(model, FIRST_SURCHARGE * mean, columns)
  let work = 0
  // A higher price for having a node makes fewer and larger ones: the lowest that keeps to the number is best.
  for (const share of SURCHARGES) {
    const own = new Packer(model, share * mean, columns)
    own.mostWork = COVER_SHARE * budget - work
    const bins = coverAll(model, own, mostNodes)
    work += own.work
    if (bins === undefined) continue
    if (costOf(bins, own.surcharge) >= costOf(first, own.surcharge)) break
    start = bins
    packer = own
    break
  }
  const empty = (bin: Bin): Bin | undefined => fixedBin(model, bin.fixed)
  const before = packer.work
  packer.mostWork = Number.POSITIVE_INFINITY
  const bins = search(packer, start, packer.worths(), Math.max(0, budget - work), mostNodes, empty)
  work += packer.work - before
  if (costOf(bins, packer.surcharge) > costOf(first, packer.surcharge) * (1 - LEAST_GAIN)) return undefined
  const claims = materialise(model, bins, costOf(first, packer.surcharge) * (1 - LEAST_GAIN), packer.surcharge)
  return claims === undefined ? undefined : { claims, work }
}

/** The first plan as bins, to begin with and to compare with. */
const firstBins = (model: Model): Bin[] | undefined => {
  const bins: Bin[] = []
  for (const [number, claim] of model.claims.entries()) {
    const price = priceOf(model, claim.state, claim.used, 0)
    if (price === undefined) return undefined
    bins.push({
      template: claim.template,
      state: claim.state,
      used: claim.used,
      kinds: claim.entries.map(([kind]) => kind),
      counts: claim.entries.map(([, count]) => count),
      price,
      fixed: claim.fixed.length > 0 ? number : -1,
    })
  }
  return bins
}

/** The bin of a claim whose fixed pods are alone in it. */
const fixedBin = (model: Model, number: number): Bin | undefined => {
  const claim = model.claims[number]
  if (claim === undefined || claim.fixed.length === 0) return undefined
  const price = priceOf(model, claim.fixedState, claim.fixedUsed, 0)
  if (price === undefined) return undefined
  const { template, fixedState, fixedUsed } = claim
  return { template, state: fixedState, used: fixedUsed, kinds: [], counts: [], price, fixed: number }
}

/** All pods packed anew, by the best of several ways to fill nodes; `undefined` if none keeps to the number of nodes. */
const coverAll = (model: Model, packer: Packer, mostNodes: number): Bin[] | undefined => {
  const worths = packer.worths()
  const fixed = model.claims.flatMap((_, number) => fixedBin(model, number) ?? [])
  let best: Bin[] | undefined
  for (const orders of model.kinds.length > MANY_KINDS ? FEW_ORDERS : ALL_ORDERS) {
    const left = Int32Array.from(model.kinds, ({ pods }) => pods.length)
    const kept = [...fixed]
    for (const [place, bin] of kept.entries()) {
      const fuller = packer.refill(bin, left, worths)
      if (fuller === undefined) continue
      for (const [at, kind] of fuller.kinds.entries()) left[kind] = (left[kind] ?? 0) - (fuller.counts[at] ?? 0)
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
  bins: readonly Bin[],
  mostCost: number,
  surcharge: number,
): readonly PackedClaim[] | undefined => {
  let cost = 0
  const { run, states, kinds } = model
  const { world } = run
  const limits = world.templates.map((template) => new PoolLimits(template, world.poolUse, world.pods.length))
  const taken = new Int32Array(kinds.length)
  const claims: PackedClaim[] = []
  for (const bin of bins.toSorted((a, b) => b.price - a.price)) {
    const limit = limits[bin.template]
    if (limit === undefined || limit.nodesExhausted) return undefined
    const allowed = limit.allowed(states)
    if (allowed === undefined) return undefined
    const fixed = model.claims[bin.fixed]
    let state = allowed === 0 ? bin.state : states.root(bin.template, allowed)
    if (allowed !== 0) {
      if (fixed !== undefined && fixed.fixed.length > 0) state = fixed.fixedState
      for (const kind of bin.kinds) {
        const entry = kinds[kind]
        if (state !== NO_STATE && entry !== undefined) state = joinKind(model, state, entry)
      }
    }
    const price = state === NO_STATE ? undefined : priceOf(model, state, bin.used, 0)
    if (price === undefined) return undefined
    cost += price + surcharge
    if (cost > mostCost) return undefined
    limit.take(states.get(state), bin.used)
    const pods: BatchPod[] = fixed === undefined ? [] : [...fixed.fixed]
    for (const [place, kind] of bin.kinds.entries()) {
      const from = taken[kind] ?? 0
      const count = bin.counts[place] ?? 0
      pods.push(...(kinds[kind]?.pods.slice(from, from + count) ?? []))
      taken[kind] = from + count
    }
    claims.push({ state, used: bin.used, pods, reservations: undefined })
  }
  return kinds.every(({ id, pods }) => taken[id] === pods.length) ? claims : undefined
}
