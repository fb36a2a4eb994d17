import { isScheduled, kinds } from '@kerf/apis'
import type { InformerFactory } from '@kerf/runtime'
import { isOwnedByDaemonSet } from '../../pod/pod-predicates.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'

/**
 * Returns a set with the names of the existing Nodes to which any pod except daemon pods was ever bound. The set is kept up to date.
 * Replicas of Kerf that do not lead have it too, because the leader may end before it writes `status.lastPodEventTime` to the NodeClaim.
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
