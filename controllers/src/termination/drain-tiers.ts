import type { Milliseconds, Pod } from '@kerf/apis'
import { isOwnedByDaemonSet, isWaitingEviction } from '../pods/pod-predicates.ts'
import { mustBeDeleted } from './forced-deletion.ts'

const CRITICAL = new Set(['system-cluster-critical', 'system-node-critical'])

/** By class name alone; the number does not count. */
const isCritical = (pod: Pod): boolean => CRITICAL.has(pod.spec.priorityClassName ?? '')

/** In which round a drain comes to the pod: ordinary pods, ordinary daemons, critical pods, critical daemons. */
export const drainTierOf = (pod: Pod): 0 | 1 | 2 | 3 => {
  if (isCritical(pod)) return isOwnedByDaemonSet(pod) ? 3 : 2
  return isOwnedByDaemonSet(pod) ? 1 : 0
}

/**
 * The pods that a drain deals with now (`docs/spec/termination.md#drain-pass`): those that must be deleted for the
 * deadline, and of the others the first tier that has any: ordinary pods, ordinary daemons, critical pods, critical
 * daemons. Empty once the node is drained.
 */
export const podsToDrain = (
  pods: readonly Pod[],
  deadline: Milliseconds | undefined,
  now: Milliseconds,
): { readonly forced: readonly Pod[]; readonly graceful: readonly Pod[]; readonly waiting: number } => {
  const waiting = pods.filter((pod) => isWaitingEviction(pod, now))
  const forced = waiting.filter((pod) => mustBeDeleted(pod, deadline, now))
  const tiers = Map.groupBy(
    waiting.filter((pod) => !forced.includes(pod)),
    drainTierOf,
  )
  const graceful = tiers.get(0) ?? tiers.get(1) ?? tiers.get(2) ?? tiers.get(3) ?? []
  return { forced, graceful, waiting: waiting.length }
}
