import type { Pod, UsdPerHour } from '@kerf/apis'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot, PoolOption } from '../snapshot.ts'
import { atOnce, type Steps } from '../steps.ts'
import { costBound } from './cost-bound.ts'

/** The lower bound of the cost of a cluster's pods, or the reason why it is unknown. */
export type LeastCost =
  | { readonly kind: 'known'; readonly cost: UsdPerHour }
  /** No bound can be given, because some instance types have no known price and could be cheaper than all others. */
  | { readonly kind: 'unpriced'; readonly types: number }
  /** No NodePool launches nodes, or the pods have demands for which no bound can be computed. */
  | { readonly kind: 'none' }

/** Returns the number of instance types that can be launched now and have an offering without a known price. */
const unpricedTypes = (pools: readonly PoolOption[]): number => {
  const names = pools.flatMap(({ instanceTypes }) =>
    instanceTypes
      .filter(({ offerings }) => offerings.some(({ price, available }) => available && price === undefined))
      .map(({ name }) => name),
  )
  return new Set(names).size
}

const isForEveryNode = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node') ?? false

/** Does the same as `leastCost` in steps, for callers that have other work to do in between. */
export function* leastCostInSteps(
  snapshot: ClusterSnapshot,
  pending: readonly Pod[],
  options: ScheduleOptions,
): Steps<LeastCost> {
  const types = unpricedTypes(snapshot.pools)
  if (types > 0) return { kind: 'unpriced', types }
  if (snapshot.pools.length === 0) return { kind: 'none' }
  const running = snapshot.nodes.flatMap(({ managed, pods }) =>
    managed ? pods.filter((pod) => !isForEveryNode(pod)) : [],
  )
  // The bound is for new nodes instead of all existing nodes, at full price. So it ignores commitments, `plannedFor`, which refers to
  // existing nodes, and ceilings, of which existing nodes use a part.
  const { plannedFor: _, commitments: __, ceilings: ___, ...rest } = snapshot
  const cost = yield* costBound(rest, [...running, ...pending], options)
  return cost === undefined || !Number.isFinite(cost) ? { kind: 'none' } : { kind: 'known', cost }
}

/**
 * Returns a lower bound for the cost of new nodes for all pods that need nodes from Kerf. These are the pods on managed nodes and the
 * pending pods.
 */
export const leastCost = (snapshot: ClusterSnapshot, pending: readonly Pod[], options: ScheduleOptions): LeastCost =>
  atOnce(leastCostInSteps(snapshot, pending, options))
