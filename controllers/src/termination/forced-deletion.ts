import { type Milliseconds, type Pod, type Seconds, timeOf } from '@kerf/apis'

/**
 * Whether the pod must be deleted now, past its PodDisruptionBudgets and its do-not-disrupt annotation, to be gone at
 * the node's deadline (`docs/spec/termination.md#forced-deletion`).
 *
 * A pod that is terminating already is deleted again only to shorten a grace period that ends after the deadline.
 */
export const mustBeDeleted = (pod: Pod, deadline: Milliseconds | undefined, now: Milliseconds): boolean => {
  if (deadline === undefined) return false
  const deletion = timeOf(pod.metadata.deletionTimestamp)
  if (deletion !== undefined) return deletion > deadline
  const grace = pod.spec.terminationGracePeriodSeconds
  return grace !== undefined && now > deadline - grace * 1000
}

/** The seconds that a pod deleted for the deadline gets: what is left, at least one, never zero. */
export const grantedSeconds = (deadline: Milliseconds, now: Milliseconds): Seconds =>
  Math.max(Math.floor((deadline - now) / 1000), 1)
