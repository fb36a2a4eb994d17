import { labels, tryParseDuration } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const wl005: Check = {
  id: 'WL-005',
  group: 'workloads',
  severity: 'warning',
  title: 'Pods that need longer to stop than their NodePool gives',
  why: 'A node is drained for its terminationGracePeriod at most. A pod whose own grace period is longer is deleted early, so that it has it left when the node has to go; from the start of the drain when it is longer than all of it.',
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
        remedy: 'raise spec.template.spec.terminationGracePeriod of the NodePool, or lower that of the pods',
      },
      'no pod needs longer than its NodePool gives',
    )
  },
}
