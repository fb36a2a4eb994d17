import { entryAt, intAt } from '../column.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import type { LimitUse } from './bin-limits.ts'
import type { FillOrder } from './node-filler.ts'
import type { Packer } from './packer.ts'

/** With how many nodes each is tried: the next ones by price. */
const NEIGHBOURS = 48
/** A node for the pods of two costs hardly less than this share of both. */
const LEAST_OF_BOTH = 0.75
const NOISE = 1e-9
const ORDERS: readonly FillOrder[] = ['worth']

interface MergeRules {
  /** What the nodes at the start take of the limits of the pools. */
  readonly limits: LimitUse
  /** Looks to spend. */
  readonly budget: number
}

/**
 * Puts two nodes into one that costs no more than both, as long as there are such. Nodes with pods that may not move stay.
 * @param packer its surcharge must be more than two nodes cost, or two are taken for one
 */
export const mergeNodes = (
  packer: Packer,
  start: readonly Bin[],
  worths: Float64Array,
  { limits, budget }: MergeRules,
): readonly Bin[] => {
  const bins = start.toSorted((a, b) => a.price - b.price)
  const end = packer.work + budget
  // Of nodes that are alike there is one object, so that what was tried in vain is not tried again.
  const inVain = new Map<Bin, Set<Bin>>()
  let at = 0
  while (at < bins.length - 1) {
    const place = at++
    const bin = bins[place]
    if (bin === undefined || bin.fixed !== NO_FIXED_PODS) continue
    const before = inVain.get(bin) ?? new Set()
    inVain.set(bin, before)
    for (const [next, other] of bins.slice(at, at + NEIGHBOURS).entries()) {
      if (packer.work >= end) return bins
      if (other.fixed !== NO_FIXED_PODS || before.has(other)) continue
      const merged = both(packer, bin, other, worths)
      if (merged === undefined || !limits.swap([bin, other], [merged])) {
        before.add(other)
        continue
      }
      bins.splice(at + next, 1)
      bins.splice(place, 1)
      const dearer = bins.findIndex(({ price }) => price >= merged.price)
      bins.splice(dearer < 0 ? bins.length : dearer, 0, merged)
      at = place
      break
    }
  }
  return bins
}

/** One node for the pods of two, no dearer than both. */
const both = (packer: Packer, a: Bin, b: Bin, worths: Float64Array): Bin | undefined => {
  const { podSets, shapeOf } = packer.model
  const left = new Int32Array(podSets.length)
  const shapes = new Set<number>()
  for (const { podSets: own, counts } of [a, b])
    for (const [place, podSet] of own.entries()) {
      left[podSet] = intAt(left, podSet) + entryAt(counts, place)
      shapes.add(intAt(shapeOf, podSet))
    }
  const most = a.price + b.price + NOISE
  const columns = packer.columns.filter(({ price }) => price <= most && price >= LEAST_OF_BOTH * most)
  const [merged, ...more] = packer.cover(left, worths, ORDERS, most + packer.surcharge, [...shapes], columns) ?? []
  return more.length === 0 ? merged : undefined
}
