import { type Milliseconds, type Pod, type Seconds, timeOf } from '@kerf/apis'

/**
 * Returns whether the pod must be deleted now, despite its PodDisruptionBudgets and its do-not-disrupt annotation, to be gone
 * at the deadline of the node (`docs/spec/termination.md#forced-deletion`).
 *
 * A terminating pod is deleted again only to shorten a grace period that ends after the deadline.
 */
export const mustBeDeleted = (pod: Pod, deadline: Milliseconds | undefined, now: Milliseconds): boolean => {
  if (deadline === undefined) return false
  const deletion = timeOf(pod.metadata.deletionTimestamp)
  if (deletion !== undefined) return deletion > deadline
  const grace = pod.spec.terminationGracePeriodSeconds
  return grace !== undefined && now > deadline - grace * 1000
}

/** Returns the grace period for a pod that is deleted for the deadline: the remaining seconds, at least one. */
export const grantedSeconds = (deadline: Milliseconds, now: Milliseconds): Seconds =>
  Math.max(Math.floor((deadline - now) / 1000), 1)
