import { ownValue } from '@kerf/apis'
import { foundAny, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { type AskedLabel, askedLabels, labelText, unofferedLabels } from '../missing-labels.ts'
import { nameOfWorkload } from '../workload.ts'

export const wl006: Check = {
  id: 'WL-006',
  group: 'workloads',
  severity: 'critical',
  title: 'Selectors on labels that no node has and no NodePool offers',
  why: 'Pods that select a label run only on nodes that have it. If the nodes with the label are gone, for example those of a managed node group, and no NodePool offers it, the pods stay pending.',
  reads: ['NodePool', 'Node'],
  examine({ workloads, serving, nodes, nodePools, typesOf, vocabulary }) {
    const isOnNode = ({ key, values }: AskedLabel): boolean =>
      nodes.some(({ metadata }) => {
        const value = ownValue(metadata.labels, key)
        return value !== undefined && (values.length === 0 || values.includes(value))
      })
    const unserved = workloads
      .filter((workload) => serving.poolsFor(workload).length === 0)
      .map((workload) => ({ workload, asked: askedLabels(workload.pod.spec).filter((label) => !isOnNode(label)) }))
    const all = new Map(unserved.flatMap(({ asked }) => asked.map((label) => [labelText(label), label] as const)))
    const missing = new Set(unofferedLabels([...all.values()], nodePools, typesOf, vocabulary).map(labelText))
    const tied = unserved.filter(({ asked }) => asked.some((label) => missing.has(labelText(label))))
    if (tied.length > 0 && serving.unknownPools.length > 0)
      return undecided(`the instance types of ${serving.unknownPools.join(', ')} are unknown; see --instance-types`)
    return foundAny(
      tied.map(({ workload }) => nameOfWorkload(workload)),
      {
        seen: `no node has ${[...missing].join(' or ')}, and no NodePool offers it`,
        remedy:
          'select a label of your own, and set it on the NodePool (spec.template.metadata.labels) and on the node group',
      },
      'every label that a workload selects is on a node, or a NodePool offers it',
    )
  },
}
