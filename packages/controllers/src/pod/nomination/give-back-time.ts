import type { Milliseconds } from '@kerf/apis'
import type { NominationProgress } from '../placement/placements.ts'

/**
 * How long kube-scheduler has to bind a nominated pod after the node has started to accept pods. After that, Kerf removes the nomination.
 */
const TAKE_TIMEOUT: Milliseconds = 20_000
/**
 * The maximum of `TAKE_TIMEOUT` after extensions. Kerf extends the timeout whenever kube-scheduler binds another nominated pod, because
 * kube-scheduler is then still processing its queue.
 */
const LONGEST_TAKE_TIMEOUT: Milliseconds = 120_000
/**
 * The timeout if kube-scheduler refused the pod on the open node, or if other pods took the capacity there. It starts when another pod was
 * last bound. The delay is useful, because other pods that are bound in the meantime may satisfy a spread constraint of the pod. They may
 * also free capacity if they are bound to nodes for which they were not planned.
 */
const REFUSED_TIMEOUT: Milliseconds = 1_500
/** The maximum of `REFUSED_TIMEOUT` after extensions. Kerf extends the timeout whenever another pod is bound. */
const LONGEST_REFUSED_TIMEOUT: Milliseconds = 5_000

/**
 * Returns since when it is certain that the pod will not be bound to the open node, because kube-scheduler refused the pod or other pods
 * took its capacity. Undefined if neither happened.
 */
export const inVainSince = ({ refusedAt, withoutCapacitySince }: NominationProgress): Milliseconds | undefined =>
  refusedAt === undefined || withoutCapacitySince === undefined
    ? (refusedAt ?? withoutCapacitySince)
    : Math.min(refusedAt, withoutCapacitySince)

/**
 * Returns when Kerf removes the nomination. Infinity while the node does not accept pods. `takenAt` is the time when a nominated pod was
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
