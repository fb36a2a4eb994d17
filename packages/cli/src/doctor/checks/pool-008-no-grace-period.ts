import { annotations, kinds, labels, matchesLabelSelector, type Pod } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const pool008: Check = {
  id: 'POOL-008',
  group: 'pools',
  severity: 'warning',
  title: 'Nodes that cannot be drained, without a termination grace period',
  why: 'A pod that cannot be evicted keeps its node forever, even if the node has expired or was deleted. terminationGracePeriod on the NodePool limits the time of a drain.',
  reads: ['NodePool', 'Pod', 'Node', 'PodDisruptionBudget'],
  examine(audit) {
    const { nodePools, nodes, objects } = audit
    const closed = objects
      .of(kinds.PodDisruptionBudget)
      .filter(({ status }) => status?.disruptionsAllowed === 0 && (status.expectedPods ?? 1) > 0)
    const blocks = (pod: Pod): boolean =>
      pod.metadata.annotations?.[annotations.doNotDisrupt] !== undefined ||
      closed.some(
        (budget) =>
          budget.metadata.namespace === pod.metadata.namespace &&
          matchesLabelSelector(budget.spec.selector, pod.metadata.labels),
      )
    const found = nodePools.flatMap((pool) => {
      if (pool.spec.template.spec.terminationGracePeriod !== undefined) return []
      const blocking = nodes
        .filter(({ metadata }) => metadata.labels?.[labels.nodePool] === pool.metadata.name)
        .flatMap(({ metadata }) => audit.podsOn(metadata.name))
        .filter(blocks)
      return blocking.length === 0 ? [] : [{ pool, blocking }]
    })
    return foundAny(
      found.map(({ pool }) => objectName(pool)),
      {
        seen: found
          .map(
            ({ pool, blocking }) =>
              `${objectName(pool)} has no terminationGracePeriod, and ${blocking.length === 1 ? '1 pod' : `${blocking.length} pods`} cannot be evicted: ${blocking.slice(0, 3).map(objectName).join(', ')}`,
          )
          .join('; '),
        remedy:
          'set spec.template.spec.terminationGracePeriod to the longest time that a pod may take to stop; the nodes then drift and are replaced within the budgets',
      },
      'each NodePool with pods that cannot be evicted has a terminationGracePeriod',
    )
  },
}
