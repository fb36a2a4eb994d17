import { annotations, matchesLabelSelector, type PodDisruptionBudget, taints, toleratesTaint } from '@kerf/apis'
import { findConditionRow } from './conditions.ts'
import { isActivePod } from './pending-pods.ts'
import { at, fieldsAt, listAt, numberAt, textAt } from './read.ts'

const objectNamespace = (object: unknown): string => textAt(object, 'metadata', 'namespace') ?? 'default'

/** Returns whether a PodDisruptionBudget selects a pod. */
export const coversPod = (budget: unknown, pod: unknown): boolean =>
  objectNamespace(budget) === objectNamespace(pod) &&
  matchesLabelSelector(
    at(budget, 'spec', 'selector') as PodDisruptionBudget['spec']['selector'],
    fieldsAt(pod, 'metadata', 'labels') as Readonly<Record<string, string>>,
  )

const isEvicted = (pod: unknown): boolean =>
  textAt(pod, 'metadata', 'annotations', annotations.doNotDisrupt) !== 'true' &&
  !listAt(pod, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'kind') === 'Node') &&
  !toleratesTaint(listAt(pod, 'spec', 'tolerations') as Parameters<typeof toleratesTaint>[0], taints.disrupted)

const mayLeaveUnhealthy = (pod: unknown, budget: unknown): boolean =>
  textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow' &&
  findConditionRow(pod, 'Ready')?.status === 'False'

/**
 * Returns whether a budget will still allow no disruption after these pending pods have started. A budget whose pods are still starting
 * allows disruptions later, so it delays a drain but does not prevent it.
 */
const isExhausted = (budget: unknown, starting: readonly unknown[]): boolean => {
  if ((numberAt(budget, 'status', 'disruptionsAllowed') ?? 0) > 0) return false
  const [healthy, desired] = [
    numberAt(budget, 'status', 'currentHealthy'),
    numberAt(budget, 'status', 'desiredHealthy'),
  ]
  if (healthy === undefined || desired === undefined) return true
  return healthy + starting.filter((pod) => coversPod(budget, pod)).length <= desired
}

/**
 * Returns the names of the Nodes with a pod that the eviction API refuses permanently: its PodDisruptionBudget allows no disruption, or
 * several budgets select it. `unplaced` has the UIDs of pending pods that get no node.
 */
export const nodesKeptByBudgets = (
  pods: readonly unknown[],
  budgets: readonly unknown[],
  unplaced: ReadonlySet<string>,
): ReadonlySet<string> => {
  if (budgets.length === 0) return new Set()
  const active = pods.filter(isActivePod)
  const starting = active.filter(
    (pod) => textAt(pod, 'spec', 'nodeName') === undefined && !unplaced.has(textAt(pod, 'metadata', 'uid') ?? ''),
  )
  const exhausted = new Set(budgets.filter((budget) => isExhausted(budget, starting)))
  const isKept = (pod: unknown): boolean => {
    const own = budgets.filter((budget) => coversPod(budget, pod))
    const [only] = own
    return own.length > 1 || (only !== undefined && exhausted.has(only) && !mayLeaveUnhealthy(pod, only))
  }
  return new Set(
    active.flatMap((pod) => {
      const node = textAt(pod, 'spec', 'nodeName')
      return node !== undefined && isEvicted(pod) && isKept(pod) ? [node] : []
    }),
  )
}
