import type { UsdPerHour } from '@kerf/apis'
import { costBound } from '@kerf/engine'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool } from './cluster-snapshot.ts'

/** What the pods of the cluster would cost at the least, or why that is not known. */
export type LeastCost =
  | { readonly kind: 'known'; readonly cost: UsdPerHour }
  /** Instance types of unknown price could be cheaper than any other. */
  | { readonly kind: 'unpriced'; readonly types: number }
  /** No NodePool launches nodes, or the pods ask for something that has no bound. */
  | { readonly kind: 'none' }
  /** More pods than a browser should work out a bound for. */
  | { readonly kind: 'tooMany'; readonly pods: number }

/** Above this many pods the bound is not worked out in a browser: it would hold up the page for seconds. */
export const MOST_PODS = 10_000

/** Types that can be launched now and of which nobody knows a price. */
const unpricedTypes = (instanceTypes: InstanceTypesByPool): number => {
  const names = [...instanceTypes.values()].flatMap((types) =>
    types
      .filter(({ offerings }) => offerings.some(({ price, available }) => available && price === undefined))
      .map(({ name }) => name),
  )
  return new Set(names).size
}

/** The least that all pods that a node autoscaler pays for can cost, on new nodes. */
export const leastCost = (
  objects: ClusterObjects,
  instanceTypes: InstanceTypesByPool,
  wellKnownLabels: readonly string[],
  solve: typeof costBound = costBound,
): LeastCost => {
  if (objects.pods.length > MOST_PODS) return { kind: 'tooMany', pods: MOST_PODS }
  const types = unpricedTypes(instanceTypes)
  if (types > 0) return { kind: 'unpriced', types }
  const { snapshot, pending } = browserCluster(objects, instanceTypes)
  if (snapshot.pools.length === 0) return { kind: 'none' }
  const running = snapshot.nodes.flatMap(({ managed, pods }) =>
    managed
      ? pods.filter((pod) => !pod.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node'))
      : [],
  )
  const cost = solve(snapshot, [...running, ...pending], { wellKnownLabels, planBudget: 0 })
  return cost === undefined || !Number.isFinite(cost) ? { kind: 'none' } : { kind: 'known', cost }
}
