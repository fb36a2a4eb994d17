import type { Pod, UsdPerHour } from '@kerf/apis'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot, PoolOption } from '../snapshot.ts'
import { atOnce, type Steps } from '../steps.ts'
import { costBound } from './cost-bound.ts'

/** What the pods of a cluster would cost at the least, or why that is not known. */
export type LeastCost =
  | { readonly kind: 'known'; readonly cost: UsdPerHour }
  /** Instance types of unknown price could be cheaper than any other. */
  | { readonly kind: 'unpriced'; readonly types: number }
  /** No NodePool launches nodes, or the pods ask for something that has no bound. */
  | { readonly kind: 'none' }

/** Types that can be launched now and of which nobody knows a price. */
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

/** As `leastCost`, step by step: for who has other things to do meanwhile. */
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
  // Where pods were planned to go is about nodes that exist.
  const { plannedFor: _, ...rest } = snapshot
  const cost = yield* costBound(rest, [...running, ...pending], options)
  return cost === undefined || !Number.isFinite(cost) ? { kind: 'none' } : { kind: 'known', cost }
}

/** The least that all pods that a node autoscaler pays for can cost, on new nodes: those on managed nodes, and the pending ones. */
export const leastCost = (snapshot: ClusterSnapshot, pending: readonly Pod[], options: ScheduleOptions): LeastCost =>
  atOnce(leastCostInSteps(snapshot, pending, options))
