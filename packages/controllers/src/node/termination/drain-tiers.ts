import type { Milliseconds, Pod } from '@kerf/apis'
import { isOwnedByDaemonSet, isWaitingEviction } from '../../pod/pod-predicates.ts'
import type { Isolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'
import { mustBeDeleted } from './forced-deletion.ts'

const CRITICAL = new Set(['system-cluster-critical', 'system-node-critical'])

/** Returns whether the pod is critical. This depends on the name of its priority class, not on the priority value. */
const isCritical = (pod: Pod): boolean => CRITICAL.has(pod.spec.priorityClassName ?? '')

/**
 * Returns the tier in which a drain evicts the pod: 0 for ordinary pods, 1 for ordinary daemon pods, 2 for critical pods, 3 for critical
 * daemon pods.
 */
export const drainTier = (pod: Pod): 0 | 1 | 2 | 3 => {
  if (isCritical(pod)) return isOwnedByDaemonSet(pod) ? 3 : 2
  return isOwnedByDaemonSet(pod) ? 1 : 0
}

/**
 * Returns the pods that a drain must evict or delete now (`docs/spec/termination.md#drain-pass`). `forced` contains the pods that must be
 * deleted by force because of the deadline. `graceful` contains the other pods of the first tier that is not empty. Both are empty if the
 * node is drained. A pod that cannot be read is not evicted, because Kerf cannot determine whether the eviction is allowed. The drain waits
 * for this pod until the deadline.
 */
export const podsToDrain = (
  pods: readonly Pod[],
  deadline: Milliseconds | undefined,
  now: Milliseconds,
  isolation: Pick<Isolation, 'guard'> = unreported,
): { readonly forced: readonly Pod[]; readonly graceful: readonly Pod[]; readonly waiting: number } => {
  const forced: Pod[] = []
  const tiers = new Map<ReturnType<typeof drainTier>, Pod[]>()
  let unread = 0
  for (const pod of pods) {
    const tier = isolation.guard('Pod', 'termination', pod, () => readTier(pod, deadline, now), 'unreadable')
    if (tier === 'staying') continue
    if (tier === 'unreadable') unread++
    else if (tier === 'forced') forced.push(pod)
    else {
      const same = tiers.get(tier)
      if (same === undefined) tiers.set(tier, [pod])
      else same.push(pod)
    }
  }
  const graceful = tiers.get(0) ?? tiers.get(1) ?? tiers.get(2) ?? tiers.get(3) ?? []
  const known = forced.length + [...tiers.values()].reduce((sum, { length }) => sum + length, 0)
  return { forced, graceful, waiting: known + (deadline !== undefined && now >= deadline ? 0 : unread) }
}

/**
 * Returns the tier of the pod, `forced` if the pod must be deleted now because of the deadline, or `staying` if the drain ignores the pod.
 */
const readTier = (
  pod: Pod,
  deadline: Milliseconds | undefined,
  now: Milliseconds,
): ReturnType<typeof drainTier> | 'forced' | 'staying' => {
  if (!isWaitingEviction(pod, now)) return 'staying'
  return mustBeDeleted(pod, deadline, now) ? 'forced' : drainTier(pod)
}
