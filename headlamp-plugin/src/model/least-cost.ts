import type { LabelVocabulary } from '@kerf/apis'
import { type LeastCost as Worked, leastCost as ofSnapshot } from '@kerf/engine'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool } from './cluster-snapshot.ts'
import { numberAt, textAt } from './read.ts'

/** What the pods of the cluster would cost at the least, or why that is not known. */
export type LeastCost =
  | Worked
  /** More pods than a browser should work out a bound for, and no controller that does. */
  | { readonly kind: 'tooMany'; readonly pods: number }
  /** The controller has not read the cluster yet. */
  | { readonly kind: 'starting' }

/** Above this many pods the bound is not worked out in a browser: it would hold up the page for seconds. */
export const MOST_PODS = 10_000

/** The least that all pods that a node autoscaler pays for can cost, on new nodes. */
export const leastCost = (
  objects: ClusterObjects,
  instanceTypes: InstanceTypesByPool,
  vocabulary: LabelVocabulary,
  solve: typeof ofSnapshot = ofSnapshot,
): LeastCost => {
  if (objects.pods.length > MOST_PODS) return { kind: 'tooMany', pods: MOST_PODS }
  const { snapshot, pending } = browserCluster(objects, instanceTypes)
  return solve(snapshot, pending, { vocabulary, planBudget: 0 })
}

/** What a controller answers at `/kerf/v1/bound`; nothing for anything else, such as an older Kerf's silence. */
export const reportedLeastCost = (answer: unknown): LeastCost | undefined => {
  const kind = textAt(answer, 'kind')
  const [cost, types] = [numberAt(answer, 'cost'), numberAt(answer, 'types')]
  if (kind === 'known' && cost !== undefined) return { kind, cost }
  if (kind === 'unpriced' && types !== undefined) return { kind, types }
  return kind === 'none' || kind === 'starting' ? { kind } : undefined
}
