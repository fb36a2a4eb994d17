import type { Milliseconds } from '@kerf/apis'
import type { NominationProgress } from '../placement/placements.ts'

/** How long an open node may take to get the pod bound. After that, the nomination is removed. */
const TAKE_TIMEOUT: Milliseconds = 20_000
/**
 * The limit of that timeout. While other nominated pods are bound, the timeout is extended up to this limit, because kube-scheduler
 * is still processing its queue.
 */
const LONGEST_TAKE_TIMEOUT: Milliseconds = 120_000
/**
 * The timeout if the open node will not get the pod, because kube-scheduler refused the pod there or other pods took its capacity.
 * It counts from the last time that another pod was bound. The delay is useful because other pods that are bound meanwhile may
 * satisfy a spread constraint, or pods bound to unplanned nodes may free capacity for each other.
 */
const REFUSED_TIMEOUT: Milliseconds = 1_500
/** The limit of that timeout while other pods are bound. */
const LONGEST_REFUSED_TIMEOUT: Milliseconds = 5_000

/**
 * Returns since when it has been known that the open node will not get the pod, because kube-scheduler refused the pod or other
 * pods took its capacity. Undefined if neither happened.
 */
export const inVainSince = ({ refusedAt, withoutCapacitySince }: NominationProgress): Milliseconds | undefined =>
  refusedAt === undefined || withoutCapacitySince === undefined
    ? (refusedAt ?? withoutCapacitySince)
    : Math.min(refusedAt, withoutCapacitySince)

/**
 * Returns when the nomination is removed. Infinite while the node is not open. `takenAt` is when a nominated pod was last bound.
 */
export const giveBackTime = (nomination: NominationProgress, takenAt: Milliseconds): Milliseconds => {
  const { openAt } = nomination
  if (openAt === undefined) return Number.POSITIVE_INFINITY
  const since = inVainSince(nomination)
  if (since !== undefined) {
    return Math.min(Math.max(since, takenAt) + REFUSED_TIMEOUT, since + LONGEST_REFUSED_TIMEOUT)
  }
  return Math.min(Math.max(openAt, takenAt) + TAKE_TIMEOUT, openAt + LONGEST_TAKE_TIMEOUT)
}
