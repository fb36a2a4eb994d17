import { entryAt, floatAt, intAt, outOfRange } from '../column.ts'
import { type Bin, binsCost } from './bin.ts'
import type { LimitUse } from './bin-limits.ts'
import type { Column } from './columns.ts'
import { type FillOrder, fillOrders } from './node-filler.ts'
import type { Packer } from './packer.ts'
import type { Shape } from './shapes.ts'

/** Repeatable random numbers (mulberry32): equal seeds give equal plans. */
class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }
}

const MOST_RUINED = 7
/** The maximum number of random draws of cheap nodes in a round. The limit is needed because draws repeat if there are few nodes. */
const MOST_DRAWS = 50
/**
 * The maximum number of columns that a round uses for new nodes. A round picks only a few columns at random, so that many rounds are
 * possible.
 */
const MOST_COLUMNS = 6
/** The search continues only if a plan becomes cheaper by at least this fraction within `fruitlessWork`. */
const LEAST_STEP = 1e-3

export interface SearchRules {
  /** Work to spend, in addition to the work that the packer has already done. */
  readonly budget: number
  /** If a plan does not become noticeably cheaper within this amount of work, the search ends. */
  readonly fruitlessWork: number
  /** A plan with more nodes than this is rejected, unless it has no more nodes than the previous plan. */
  readonly mostNodes: number
  /** If the nodes of a plan cost more than this, without the surcharge, the plan is rejected. */
  readonly mostCost?: number
  /**
   * If set, each node to take apart is the cheapest of this many random nodes. If absent, one node is chosen because it wastes the
   * most capacity, and the others at random.
   */
  readonly cheapestOf?: number
  /** Tracks how much of the pools' limits the initial nodes use. */
  readonly limits: LimitUse
  /** Returns a node that must be kept, with only its fixed pods; `undefined` if the node may be removed. */
  empty(bin: Bin): Bin | undefined
}

/**
 * Improves a plan by ruin and recreate. Each round removes a few nodes, one of them because it wastes capacity. It may first add the
 * removed pods to some of the other nodes. Then it covers the remaining pods with new nodes, whose worths it changes at random; rounds
 * alternate between the sets of `worths`. A round's result is accepted if it is not more expensive and does not have too many nodes. A
 * round considers a limited number of nodes, regardless of the size of the plan.
 */
export const search = (
  packer: Packer,
  start: readonly Bin[],
  worths: readonly Float64Array[],
  { budget, fruitlessWork, mostNodes, mostCost = Number.POSITIVE_INFINITY, cheapestOf, limits, empty }: SearchRules,
): Bin[] => {
  const random = new SeededRandom(42)
  const { podSets } = packer.model
  const bins = [...start]
  let cost = binsCost(bins, packer.surcharge)
  const [first] = worths
  if (first === undefined || bins.length === 0) return bins
  const end = packer.work + budget
  let windowEnd = packer.work + fruitlessWork
  let windowCost = cost
  const left = new Int32Array(podSets.length)
  const shaken = new Float64Array(podSets.length)
  const wasteOf = (bin: Bin): number => {
    let worth = 0
    for (let at = 0; at < bin.podSets.length; at++)
      worth += floatAt(first, entryAt(bin.podSets, at)) * entryAt(bin.counts, at)
    return bin.price + packer.surcharge - worth
  }
  for (let round = 0; packer.work < end; round++) {
    if (packer.work > windowEnd) {
      if (cost > windowCost * (1 - LEAST_STEP)) break
      windowEnd = packer.work + fruitlessWork
      windowCost = cost
    }
    packer.work += 4
    const own = worths[round % worths.length] ?? first
    const ruined = cheapestOf === undefined ? pick(bins, random, wasteOf) : pickCheap(bins, random, cheapestOf)
    const { touched, removed, stay } = takeOut(bins, ruined, left, packer.surcharge, empty)
    const active = byWorth(packer, touched, first)
    const filled = new Map<number, Bin>()
    const fuller = stay.map((bin) => refilled(packer, bin, active, left))
    if (stay.length > 0 || random.next() < 0.5) refillSome(packer, bins, ruined, active, left, random, filled)
    for (const podSet of touched) shaken[podSet] = floatAt(own, podSet) * (0.75 + 0.5 * random.next())
    const order = fillOrders[random.below(fillOrders.length)] ?? 'worth'
    const orders: readonly FillOrder[] = random.next() < 0.5 ? [order] : fillOrders
    const added = touched.some((podSet) => intAt(left, podSet) > 0)
      ? packer.cover(
          left,
          shaken,
          orders,
          removed + 1e-12,
          active.map(({ id }) => id),
          someColumns(packer, removed, random),
        )
      : []
    for (const podSet of touched) left[podSet] = 0
    if (added === undefined) continue
    const nodes = bins.length - ruined.size + fuller.length + added.length
    if (nodes > mostNodes && nodes > bins.length) continue
    const nextCost = cost - removed + binsCost(added, packer.surcharge)
    if (nextCost > cost + 1e-12 || nextCost - nodes * packer.surcharge > mostCost) continue
    const gone = [...ruined, ...filled.keys()].flatMap((place) => bins[place] ?? [])
    if (!limits.swap(gone, [...filled.values(), ...fuller, ...added])) continue
    for (const [place, bin] of filled) bins[place] = bin
    putBack(bins, ruined, [...fuller, ...added])
    cost = nextCost
  }
  return bins
}

/** Stores the new nodes at the positions of removed ones. If positions remain free, the last nodes of the list move there. */
const putBack = (bins: Bin[], ruined: ReadonlySet<number>, added: readonly Bin[]): void => {
  let next = 0
  for (const place of [...ruined].sort((a, b) => b - a)) {
    const bin = added[next++] ?? bins.pop()
    if (bin !== undefined && place < bins.length) bins[place] = bin
  }
  for (; next < added.length; next++) {
    const bin = added[next]
    if (bin !== undefined) bins.push(bin)
  }
}

const someColumns = ({ columns, surcharge }: Packer, bound: number, random: SeededRandom): readonly Column[] => {
  const picked: Column[] = []
  const from = random.below(columns.length)
  for (let i = 0; i < columns.length && picked.length < MOST_COLUMNS; i++) {
    const column = columns[(from + i * 7) % columns.length]
    if (column !== undefined && column.price + surcharge <= bound) picked.push(column)
  }
  return picked
}

/**
 * Removes nodes and adds their pods to `left`. Returns the pod sets of these pods, the removed cost, and the remaining nodes
 * with only fixed pods.
 */
const takeOut = (
  bins: readonly Bin[],
  ruined: ReadonlySet<number>,
  left: Int32Array,
  surcharge: number,
  empty: SearchRules['empty'],
): { readonly touched: readonly number[]; readonly removed: number; readonly stay: readonly Bin[] } => {
  const touched: number[] = []
  let removed = 0
  const stay: Bin[] = []
  for (const place of ruined) {
    const bin = bins[place]
    if (bin === undefined) continue
    for (const [at, podSet] of bin.podSets.entries()) {
      if (left[podSet] === 0) touched.push(podSet)
      left[podSet] = intAt(left, podSet) + entryAt(bin.counts, at)
    }
    removed += bin.price + surcharge
    const rest = bin.fixed >= 0 ? empty(bin) : undefined
    if (rest !== undefined) {
      stay.push(rest)
      removed -= rest.price + surcharge
    }
  }
  return { touched, removed, stay }
}

const pick = (bins: readonly Bin[], random: SeededRandom, wasteOf: (bin: Bin) => number): Set<number> => {
  const count = Math.min(bins.length, 1 + random.below(MOST_RUINED))
  const ruined = new Set<number>()
  let worst = -1
  let waste = Number.NEGATIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const place = random.below(bins.length)
    const bin = bins[place]
    if (bin === undefined) continue
    const own = wasteOf(bin)
    if (own > waste) {
      worst = place
      waste = own
    }
  }
  if (worst >= 0) ruined.add(worst)
  while (ruined.size < count) ruined.add(random.below(bins.length))
  return ruined
}

/** Picks nodes to remove. Each is the cheapest of several random nodes. Returns fewer nodes if the draws repeat. */
const pickCheap = (bins: readonly Bin[], random: SeededRandom, cheapestOf: number): Set<number> => {
  const count = Math.min(bins.length, 1 + random.below(MOST_RUINED))
  const ruined = new Set<number>()
  for (let draw = 0; ruined.size < count && draw < MOST_DRAWS; draw++) {
    let cheapest = random.below(bins.length)
    for (let i = 1; i < cheapestOf; i++) {
      const place = random.below(bins.length)
      if (priceAt(bins, place) < priceAt(bins, cheapest)) cheapest = place
    }
    ruined.add(cheapest)
  }
  return ruined
}

const priceAt = (bins: readonly Bin[], place: number): number => bins[place]?.price ?? outOfRange('bins', place)

/** Returns the shapes of some pod sets, those with the most worth first. */
const byWorth = (
  { model: { shapes, shapeOf } }: Packer,
  touched: readonly number[],
  worths: Float64Array,
): readonly Shape[] => {
  const best = new Map<number, number>()
  for (const podSet of touched) {
    const shape = intAt(shapeOf, podSet)
    best.set(shape, Math.max(best.get(shape) ?? 0, floatAt(worths, podSet)))
  }
  return [...best].sort((a, b) => b[1] - a[1] || a[0] - b[0]).flatMap(([number]) => shapes[number] ?? [])
}

const MOST_REFILLED = 12

/** Adds as many of the pods in `left` to the node as it can take, and removes them from `left`. Returns the new node. */
const refilled = (packer: Packer, bin: Bin, active: readonly Shape[], left: Int32Array): Bin => {
  const fuller = packer.refill(bin, active, left)
  if (fuller === undefined) return bin
  takeAdded(left, bin, fuller)
  return fuller
}

/** Adds pods to the free capacity of some nodes that stay, starting at a random one. */
const refillSome = (
  packer: Packer,
  bins: readonly Bin[],
  ruined: ReadonlySet<number>,
  active: readonly Shape[],
  left: Int32Array,
  random: SeededRandom,
  filled: Map<number, Bin>,
): void => {
  const from = random.below(bins.length)
  const tries = Math.min(bins.length, MOST_REFILLED)
  for (let i = 0; i < tries; i++) {
    const place = (from + i) % bins.length
    if (ruined.has(place)) continue
    const bin = bins[place] ?? outOfRange('bins', place)
    const fuller = refilled(packer, bin, active, left)
    if (fuller !== bin) filled.set(place, fuller)
  }
}

/** Removes from `left` the pods that `fuller` has in addition to those of `bin`. */
export const takeAdded = (left: Int32Array, bin: Bin, fuller: Bin): void => {
  for (const [at, podSet] of fuller.podSets.entries()) {
    const before = bin.podSets.indexOf(podSet)
    const more = entryAt(fuller.counts, at) - (before < 0 ? 0 : entryAt(bin.counts, before))
    left[podSet] = intAt(left, podSet) - more
  }
}
