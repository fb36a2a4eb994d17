import { labels, tryParseDuration } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const wl005: Check = {
  id: 'WL-005',
  group: 'workloads',
  severity: 'warning',
  title: 'Pods whose grace period exceeds that of their NodePool',
  why: 'A drain takes at most the terminationGracePeriod of the node. A pod gets its full terminationGracePeriodSeconds before that deadline, so Kerf deletes it early. If its grace period is longer than that of the node, Kerf deletes it at the start of the drain.',
  reads: ['NodePool', 'Pod', 'Node'],
  examine(audit) {
    const { nodePools, nodes } = audit
    const slow = nodePools.flatMap(({ metadata, spec }) => {
      const drain = tryParseDuration(spec.template.spec.terminationGracePeriod ?? '')
      if (drain === undefined) return []
      return nodes
        .filter((node) => node.metadata.labels?.[labels.nodePool] === metadata.name)
        .flatMap((node) => audit.podsOn(node.metadata.name))
        .filter((pod) => (pod.spec.terminationGracePeriodSeconds ?? 30) * 1_000 > drain)
    })
    return foundAny(
      slow.map(objectName),
      {
        seen: 'terminationGracePeriodSeconds is longer than terminationGracePeriod of the NodePool',
        remedy:
          'raise spec.template.spec.terminationGracePeriod of the NodePool, or lower terminationGracePeriodSeconds of the pods',
      },
      'no grace period of a pod exceeds that of its NodePool',
    )
  },
}
