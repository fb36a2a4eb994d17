import type { LabelVocabulary } from '@kerf/apis'
import { type LeastCost as Worked, leastCost as ofSnapshot } from '@kerf/engine'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool } from './cluster-snapshot.ts'
import { numberAt, textAt } from './read.ts'

/** Whether a plan uses only the instance types of existing nodes. Other types may be cheaper. */
export interface SeenTypes {
  readonly isOfSeenTypes?: boolean
}

/** The lowest possible cost of the cluster's pods, or why it is unknown. */
export type LeastCost = SeenTypes &
  (
    | Worked
    /** There are too many pods to compute the cost in a browser, and the controller does not report it. */
    | { readonly kind: 'tooMany'; readonly pods: number }
    /** The controller has not read the cluster yet. */
    | { readonly kind: 'starting' }
  )

/** Maximum number of pods for a computation in the browser. More pods would block the page for seconds. */
export const MOST_PODS = 10_000

/** Returns the lowest possible cost, on new nodes, of all pods for which a node autoscaler launches nodes. */
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

/** Parses a controller's response at `/kerf/v1/bound`. Returns undefined for any other response, such as the 404 of an older Kerf. */
export const reportedLeastCost = (answer: unknown): LeastCost | undefined => {
  const kind = textAt(answer, 'kind')
  const [cost, types] = [numberAt(answer, 'cost'), numberAt(answer, 'types')]
  if (kind === 'known' && cost !== undefined) return { kind, cost }
  if (kind === 'unpriced' && types !== undefined) return { kind, types }
  return kind === 'none' || kind === 'starting' ? { kind } : undefined
}
