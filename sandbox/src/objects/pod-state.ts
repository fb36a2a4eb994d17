import { type Condition, findCondition, type Milliseconds, type Pod, type Seconds, timeOf } from '@kerf/apis'
import { type Clock, done, type Outcome, retryAfter } from '@kerf/runtime'

export const podCondition = (pod: Pod, type: string): Condition | undefined => findCondition(pod, type)

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True'

/** When the pod became ready, if it is. */
export const readySince = (pod: Pod): Milliseconds | undefined => {
  const condition = podCondition(pod, 'Ready')
  return condition?.status === 'True' ? timeOf(condition.lastTransitionTime) : undefined
}

/** When a pod that is ready becomes available, that is `minReadySeconds` after; `undefined` for one that is not ready. */
const availableAt = (pod: Pod, minReadySeconds: Seconds): Milliseconds | undefined => {
  if (!isReady(pod)) return undefined
  return minReadySeconds === 0 ? 0 : (readySince(pod) ?? 0) + minReadySeconds * 1000
}

export const isAvailable = (pod: Pod, minReadySeconds: Seconds, now: Milliseconds): boolean =>
  (availableAt(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= now

/** Looks again at the earliest moment at which a ready pod of the list becomes available, if there is one. */
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
