import type { Milliseconds } from '@kerf/apis'
import type { NominationProgress } from '../placement/placements.ts'

/** Once a node accepts pods, kube-scheduler has this much time to bind a nominated pod to it. After that, Kerf removes the nomination. */
const TAKE_TIMEOUT: Milliseconds = 20_000
/**
 * While kube-scheduler binds other nominated pods, it is still processing its queue. Kerf then extends `TAKE_TIMEOUT`, but at most to this.
 */
const LONGEST_TAKE_TIMEOUT: Milliseconds = 120_000
/**
 * The timeout if kube-scheduler refused the pod on the open node, or if other pods took the capacity there. It starts when another pod was
 * last bound. The delay is useful: other pods that are bound in the meantime may satisfy a spread constraint of the pod, or may free
 * capacity because they are bound to nodes for which they were not planned.
 */
const REFUSED_TIMEOUT: Milliseconds = 1_500
/** While other pods are being bound, Kerf extends `REFUSED_TIMEOUT`, but at most to this. */
const LONGEST_REFUSED_TIMEOUT: Milliseconds = 5_000

/**
 * Returns the time since which it is known that the pod will not be bound to the open node, because kube-scheduler refused the pod or other
 * pods took its capacity. Undefined if neither happened.
 */
export const inVainSince = ({ refusedAt, withoutCapacitySince }: NominationProgress): Milliseconds | undefined =>
  refusedAt === undefined || withoutCapacitySince === undefined
    ? (refusedAt ?? withoutCapacitySince)
    : Math.min(refusedAt, withoutCapacitySince)

/**
 * Returns when Kerf removes the nomination. Infinite while the node does not accept pods. `takenAt` is when a nominated pod was last bound.
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
