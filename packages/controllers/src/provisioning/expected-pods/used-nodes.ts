import { isScheduled, kinds } from '@kerf/apis'
import type { InformerFactory } from '@kerf/runtime'
import { isOwnedByDaemonSet } from '../../pod/pod-predicates.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'

/**
 * Returns a set, kept up to date, with the names of the existing Nodes to which any pod except daemon pods was ever bound. A
 * replica of Kerf that does not lead also records them, because the leader may end before it writes `status.lastPodEventTime` to
 * the NodeClaim.
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
