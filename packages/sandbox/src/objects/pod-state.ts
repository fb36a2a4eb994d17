import { type Condition, findCondition, type Milliseconds, type Pod, parseTime, type Seconds } from '@kerf/apis'
import { type Clock, done, type Outcome, retryAfter } from '@kerf/runtime'

export const podCondition = (pod: Pod, type: string): Condition | undefined => findCondition(pod, type)

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True'

/** Returns the time since which the pod has been ready, or `undefined` if it is not ready. */
export const readySince = (pod: Pod): Milliseconds | undefined => {
  const condition = podCondition(pod, 'Ready')
  return condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : undefined
}

/**
 * Returns when a ready pod becomes available, which is `minReadySeconds` after it became ready. Returns `undefined` if the pod is
 * not ready.
 */
const availableAt = (pod: Pod, minReadySeconds: Seconds): Milliseconds | undefined => {
  if (!isReady(pod)) return undefined
  return minReadySeconds === 0 ? 0 : (readySince(pod) ?? 0) + minReadySeconds * 1000
}

export const isAvailable = (pod: Pod, minReadySeconds: Seconds, now: Milliseconds): boolean =>
  (availableAt(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= now

/** Requeues the key for the earliest time at which a ready pod becomes available. Does not requeue if no pod will become available. */
export const againWhenAvailable = (
  pods: Iterable<Pod>,
  minReadySeconds: Seconds | undefined,
  clock: Pick<Clock, 'now'>,
): Outcome => {
  if (minReadySeconds === undefined || minReadySeconds === 0) return done()
  const now = clock.now()
  let next: Milliseconds | undefined
  for (const pod of pods) {
    const at = availableAt(pod, minReadySeconds)
    if (at !== undefined && at > now && (next === undefined || at < next)) next = at
  }
  return next === undefined ? done() : retryAfter(next - now)
}
