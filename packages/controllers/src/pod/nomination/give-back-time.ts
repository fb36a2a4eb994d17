import type { Milliseconds } from '@kerf/apis'
import type { NominationProgress } from '../placement/placements.ts'

/** A nomination is given back if the open node has not taken the pod after this time. */
const TAKE_TIMEOUT: Milliseconds = 20_000
/** The timeout grows up to this while other nominated pods are bound, because kube-scheduler is still processing its queue. */
const LONGEST_TAKE_TIMEOUT: Milliseconds = 120_000
/**
 * A nomination is given back sooner, after this time without another pod being bound, if kube-scheduler refused the pod on
 * its open node or other pods took its capacity. The delay lets other pods be bound first, which may satisfy a spread
 * constraint. Pods bound to unplanned nodes may also free capacity on each other's nodes.
 */
const REFUSED_TIMEOUT: Milliseconds = 1_500
/** The maximum time that such a pod waits while other pods are bound. */
const LONGEST_REFUSED_TIMEOUT: Milliseconds = 5_000

/**
 * Returns since when the open node is known not to take the pod, because kube-scheduler refused it or its capacity is taken.
 */
export const inVainSince = ({ refusedAt, withoutCapacitySince }: NominationProgress): Milliseconds | undefined =>
  refusedAt === undefined || withoutCapacitySince === undefined
    ? (refusedAt ?? withoutCapacitySince)
    : Math.min(refusedAt, withoutCapacitySince)

/**
 * Returns the time at which the nomination is given back. It is infinite while the node is not open. `takenAt`: when a nominated
 * pod was last bound.
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
