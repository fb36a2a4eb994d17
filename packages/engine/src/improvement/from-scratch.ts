import { entryAt, floatAt, intAt } from '../column.ts'
import { type Bin, binsCost } from './bin.ts'
import { fixedBin } from './first-bins.ts'
import type { Model } from './model.ts'
import { type FillOrder, fillOrders, MANY_OPEN } from './node-filler.ts'
import type { Packer } from './packer.ts'
import { takeAdded } from './search.ts'
import type { Shape } from './shapes.ts'

/** The fill orders for plans from scratch. The lists are tried one after the other. */
const ORDERS: readonly (readonly FillOrder[])[] = [fillOrders, ['worth'], ['balance']]
/** Orders for many shapes. The fill order `balance` is slow in that case, so faster orders that always result in a plan come first. */
const FEW_ORDERS: readonly (readonly FillOrder[])[] = [['worth', 'size'], fillOrders]
const MANY_SHAPES = 150
/** Orders for more than `MANY_OPEN` shapes. In that case, the fill order `balance` groups the shapes, and is by far the fastest order. */
const BALANCE_FIRST: readonly (readonly FillOrder[])[] = [['balance'], fillOrders]

const fillOrderLists = ({ shapes }: Model): readonly (readonly FillOrder[])[] => {
  if (shapes.length > MANY_OPEN) return BALANCE_FIRST
  return shapes.length > MANY_SHAPES ? FEW_ORDERS : ORDERS
}

/**
 * Packs all pods from scratch with each list of fill orders, and returns the best plan, or `undefined` if no plan is allowed. Does not
 * change the nodes in `begun`.
 */
export const coverAll = (
  model: Model,
  packer: Packer,
  worths: Float64Array,
  isAllowed: (bins: readonly Bin[]) => boolean,
  begun: readonly Bin[] = [],
): Bin[] | undefined => {
  const fixed = model.claims.flatMap((_, number) => fixedBin(model, packer.prices, number) ?? [])
  const shapeWorth = ({ podSets }: Shape): number => floatAt(worths, entryAt(podSets, 0))
  const byWorth = model.shapes.toSorted((a, b) => shapeWorth(b) - shapeWorth(a) || a.id - b.id)
  let best: Bin[] | undefined
  for (const orders of fillOrderLists(model)) {
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
