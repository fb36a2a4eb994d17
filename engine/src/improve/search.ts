import type { Bin } from './bin.ts'
import { type FillOrder, fillOrders, type Packer } from './packer.ts'

/** Repeatable chance: equal seeds give equal plans (mulberry32). */
class Dice {
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

export const costOf = (bins: readonly Bin[], surcharge: number): number =>
  bins.reduce((sum, { price }) => sum + price + surcharge, 0)

const MOST_RUINED = 7

/**
 * Ruin and recreate: takes a few nodes out, one of them chosen for its waste, offers their pods to the others first or
 * not, and covers the rest anew with shaken worths; keeps what is not dearer and has not too many nodes. `empty` gives back
 * a node that must stay, without its movable pods. Ends when the packer has done `budget` fills.
 */
export const search = (
  packer: Packer,
  start: readonly Bin[],
  worths: Float64Array,
  budget: number,
  mostNodes: number,
  empty: (bin: Bin) => Bin | undefined,
): Bin[] => {
  const dice = new Dice(42)
  let bins = [...start]
  let best = bins
  let bestCost = costOf(bins, packer.surcharge)
  let cost = bestCost
  const end = packer.work + budget
  const wasteOf = (bin: Bin): number => {
    let worth = 0
    for (const [place, kind] of bin.kinds.entries()) worth += (worths[kind] ?? 0) * (bin.counts[place] ?? 0)
    return bin.price + packer.surcharge - worth
  }
  while (packer.work < end && bins.length > 0) {
    packer.work++
    const ruined = pick(bins, dice, wasteOf)
    const left = new Int32Array(worths.length)
    let removed = 0
    const stay: Bin[] = []
    for (const place of ruined) {
      const bin = bins[place]
      if (bin === undefined) continue
      for (const [at, kind] of bin.kinds.entries()) left[kind] = (left[kind] ?? 0) + (bin.counts[at] ?? 0)
      removed += bin.price + packer.surcharge
      const rest = bin.fixed >= 0 ? empty(bin) : undefined
      if (rest !== undefined) {
        stay.push(rest)
        removed -= rest.price + packer.surcharge
      }
    }
    const kept = bins.filter((_, place) => !ruined.has(place))
    kept.push(...stay)
    if (stay.length > 0 || dice.next() < 0.5) refillAll(packer, kept, left, worths, dice)
    const shaken = worths.map((worth) => worth * (0.75 + 0.5 * dice.next()))
    const order = fillOrders[dice.below(fillOrders.length)] ?? 'worth'
    const orders: readonly FillOrder[] = dice.next() < 0.5 ? [order] : fillOrders
    const added = left.some((count) => count > 0) ? packer.cover(left, shaken, orders, removed + 1e-12) : []
    if (added === undefined) continue
    const next = [...kept, ...added]
    if (next.length > mostNodes && next.length > bins.length) continue
    const nextCost = cost - removed + added.reduce((sum, { price }) => sum + price + packer.surcharge, 0)
    if (nextCost > cost + 1e-12) continue
    bins = next
    cost = nextCost
    if (cost < bestCost - 1e-12) {
      best = bins
      bestCost = cost
    }
  }
  return best
}

const pick = (bins: readonly Bin[], dice: Dice, wasteOf: (bin: Bin) => number): Set<number> => {
  const count = Math.min(bins.length, 1 + dice.below(MOST_RUINED))
  const ruined = new Set<number>()
  let worst = -1
  let waste = Number.NEGATIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const place = dice.below(bins.length)
    const bin = bins[place]
    if (bin === undefined) continue
    const own = wasteOf(bin)
    if (own > waste) {
      worst = place
      waste = own
    }
  }
  if (worst >= 0) ruined.add(worst)
  while (ruined.size < count) ruined.add(dice.below(bins.length))
  return ruined
}

const MOST_REFILLED = 12

/** Offers pods to the slack of nodes that stay, beginning at a random one. */
const refillAll = (packer: Packer, bins: Bin[], left: Int32Array, worths: Float64Array, dice: Dice): void => {
  if (bins.length === 0) return
  const from = dice.below(bins.length)
  const tries = Math.min(bins.length, MOST_REFILLED)
  for (let i = 0; i < tries; i++) {
    const place = (from + i) % bins.length
    const bin = bins[place]
    if (bin === undefined) continue
    const fuller = packer.refill(bin, left, worths)
    if (fuller === undefined) continue
    for (const [at, kind] of fuller.kinds.entries()) {
      const before = bin.kinds.indexOf(kind)
      left[kind] = (left[kind] ?? 0) - ((fuller.counts[at] ?? 0) - (before < 0 ? 0 : (bin.counts[before] ?? 0)))
    }
    bins[place] = fuller
  }
}
