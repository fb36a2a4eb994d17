import { isScheduled, kinds } from '@kerf/apis'
import type { InformerFactory } from '@kerf/runtime'
import { isOwnedByDaemonSet } from '../../pod/pod-predicates.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'

/**
 * Returns the names of the existing Nodes that have ever had a pod other than daemon pods. The set is updated continuously. Non-leading
 * replicas of Kerf also maintain it, because the leader may stop before it writes `status.lastPodEventTime` to the NodeClaim.
 */
export const usedNodes = (informers: InformerFactory): ReadonlySet<string> => {
  const used = new Set<string>()
  informers.of(kinds.Pod).onChange(({ after }) => {
    const { nodeName } = after?.spec ?? {}
    if (after === undefined || nodeName === undefined || used.has(nodeName)) return
    if (ifReadable(() => isScheduled(after) && !isOwnedByDaemonSet(after)) === true) used.add(nodeName)
  })
  informers.of(kinds.Node).onChange(({ before, after }) => {
    if (after === undefined && before !== undefined) used.delete(before.metadata.name)
  })
  return used
}
