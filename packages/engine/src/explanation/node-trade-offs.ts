import type { Pod, UsdPerHour } from '@kerf/apis'
import { schedule } from '../decision/schedule.ts'
import { FEWER_NODES_COST_SHARE } from '../improvement/cost-share.ts'
import type { Plan } from '../plan.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'

/** The plan for one value of `FEWER_NODES_COST_SHARE`. */
export interface NodeTradeOff {
  /** The additional cost that a plan with fewer nodes may have, as a fraction. */
  readonly share: number
  readonly nodes: number
  readonly hourlyCost: UsdPerHour
  /** Whether this is the share of the explained plan. */
  readonly isOwn: boolean
}

/** The shares that are always compared. */
const SHARES: readonly number[] = [0, 0.0025, 0.005, 0.01, 0.02]

/**
 * Returns the number of nodes and the cost of the plan for several shares, the lowest first. Each share requires a plan. Returns an empty
 * list if the improvement pass is off, or if no plan has at least two nodes.
 */
export const nodeTradeOffs = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  plan: Plan,
  options: ScheduleOptions,
): readonly NodeTradeOff[] => {
  const own = options.fewerNodesCostShare ?? FEWER_NODES_COST_SHARE
  const planFor = (fewerNodesCostShare: number): Plan =>
    fewerNodesCostShare === own ? plan : schedule(snapshot, pods, { ...options, fewerNodesCostShare })
  if (options.planBudget === 0) return []
  const shares = [...new Set([...SHARES, own])].sort((a, b) => a - b)
  const tradeOffs = shares.map((share) => {
    const { claims, hourlyCost } = planFor(share)
    return { share, nodes: claims.length, hourlyCost, isOwn: share === own }
  })
  return tradeOffs.every(({ nodes }) => nodes < 2) ? [] : tradeOffs
}
