import { type Bin, binsCost } from './bin.ts'
import type { BinLimits } from './bin-limits.ts'
import { EVERY_COLUMN, generateColumns } from './columns.ts'
import { exactPlan } from './exact.ts'
import type { Model } from './model.ts'
import { Packer } from './packer.ts'
import type { Prices } from './prices.ts'

/** The number of attempts to find a plan with fewer nodes. */
const TRIES = 5

/**
 * Uses the exact search to find a plan with fewer nodes that costs at most `mostCost`. A surcharge for each node makes plans with fewer
 * nodes cheaper than others. The first surcharge is the largest additional cost that `mostCost` allows. It is halved until the resulting
 * plan, without the surcharge, costs at most `mostCost`.
 * @param budgetPerTry returns the work that the next attempt may spend, given the work that was spent
 */
export const fewerNodesExactly = (
  model: Model,
  prices: Prices,
  limits: BinLimits,
  best: readonly Bin[],
  mostCost: number,
  budgetPerTry: (work: number) => number,
): { readonly bins: readonly Bin[] | undefined; readonly work: number } => {
  const columns = generateColumns(model, EVERY_COLUMN)
  let work = 0
  for (let surcharge = mostCost - binsCost(best, 0), tries = 0; tries < TRIES; surcharge /= 2, tries++) {
    const packer = new Packer(model, prices, columns, surcharge)
    const exact = exactPlan(packer, columns, binsCost(best, surcharge), budgetPerTry(work))
    work += exact.work
    // If no better plan exists with this surcharge, none exists with a lower surcharge.
    if (exact.bins === undefined) return { bins: undefined, work }
    if (binsCost(exact.bins, 0) <= mostCost && limits.holds(exact.bins)) return { bins: exact.bins, work }
  }
  return { bins: undefined, work }
}
