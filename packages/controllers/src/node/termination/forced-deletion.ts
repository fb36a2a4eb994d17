import { type Milliseconds, type Pod, parseTime, type Seconds } from '@kerf/apis'

/**
 * Returns whether Kerf must delete the pod now so that it is gone at the node's deadline, despite its PodDisruptionBudgets and its
 * do-not-disrupt annotation (`docs/spec/termination.md#forced-deletion`). For a terminating pod, returns true only if its grace period ends
 * after the deadline and must be shortened.
 */
export const mustBeDeleted = (pod: Pod, deadline: Milliseconds | undefined, now: Milliseconds): boolean => {
  if (deadline === undefined) return false
  const deletion = parseTime(pod.metadata.deletionTimestamp)
  if (deletion !== undefined) return deletion > deadline
  const grace = pod.spec.terminationGracePeriodSeconds
  return grace !== undefined && now > deadline - grace * 1000
}

/** Returns the grace period for deleting a pod because of the deadline: the remaining seconds, but at least one. */
export const grantedSeconds = (deadline: Milliseconds, now: Milliseconds): Seconds =>
  Math.max(Math.floor((deadline - now) / 1000), 1)
