import type { Milliseconds } from '@kerf/apis'
import type { NominationProgress } from '../placement/placements.ts'

/**
 * How long kube-scheduler may take to bind a nominated pod to its node once the node accepts pods. After that, the nomination is
 * removed.
 */
const TAKE_TIMEOUT: Milliseconds = 20_000
/**
 * The limit up to which `TAKE_TIMEOUT` is extended while other nominated pods are being bound, because kube-scheduler is then
 * still processing its queue.
 */
const LONGEST_TAKE_TIMEOUT: Milliseconds = 120_000
/**
 * The timeout if kube-scheduler refused the pod on the open node, or other pods took the capacity there. It counts from the last time that
 * another pod was bound. The delay is useful because other pods that are bound during the delay may satisfy a spread constraint, or pods
 * bound to unplanned nodes may free capacity for each other.
 */
const REFUSED_TIMEOUT: Milliseconds = 1_500
/** The limit up to which `REFUSED_TIMEOUT` is extended while other pods are being bound. */
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
 * Returns when the nomination is removed. Infinite while the node does not accept pods yet. `takenAt` is when a nominated pod was
 * last bound.
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
