import { ownValue } from '@kerf/apis'
import { groupLabels } from '@kerf/controllers'
import { type Check, foundAny } from '../check.ts'
import { nameOfWorkload, type Workload } from '../workload.ts'

/** The keys of labels that a pod cannot do without. */
const requiredKeys = ({ pod }: Workload): readonly string[] => [
  ...Object.keys(pod.spec.nodeSelector ?? {}),
  ...(pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap(
    ({ matchExpressions = [] }) =>
      matchExpressions.filter(({ operator }) => operator === 'In' || operator === 'Exists').map(({ key }) => key),
  ),
]

export const wl006: Check = {
  id: 'WL-006',
  group: 'workloads',
  severity: 'critical',
  title: 'Selectors on labels of node groups that are not there',
  why: 'Pods that ask for the label of a managed node group run only there. When the group is gone, or at its maximum, no NodePool takes over.',
  reads: ['NodePool', 'Node'],
  examine({ workloads, serving, nodes }) {
    const known = new Set(
      nodes.flatMap(({ metadata }) => groupLabels.filter((key) => ownValue(metadata.labels, key) !== undefined)),
    )
    const tied = workloads.filter(
      (workload) =>
        requiredKeys(workload).some((key) => groupLabels.includes(key) && !known.has(key)) &&
        serving.poolsFor(workload).length === 0,
    )
    return foundAny(
      tied.map(nameOfWorkload),
      {
        seen: 'they select a node group that has no node, and no NodePool can run them',
        remedy:
          'select a label of your own, put it on the NodePool (spec.template.metadata.labels) and on the node group',
      },
      'no workload depends on a node group without nodes',
    )
  },
}
