import { foundAny, inOrder, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { SCALE_UP_DELAY } from '../cluster-autoscaler-annotations.ts'
import { nameOfWorkload } from '../workload.ts'

export const cox002: Check = {
  id: 'COX-002',
  group: 'coexistence',
  severity: 'critical',
  title: 'Pods that both autoscalers would launch nodes for',
  why: 'When a NodePool and a node group can both run a pending pod, each autoscaler launches a node for it, and you pay for every burst twice. Over time the pods move to the nodes of Cluster Autoscaler, because Karpenter does not consolidate those. Taints on both sides separate the two. An annotation on the moved workloads only stops the double launches.',
  reads: ['Deployment', 'NodePool', 'Node'],
  examine({ clusterAutoscaler, workloads, serving }) {
    if (clusterAutoscaler?.runs !== true) return inOrder('no Cluster Autoscaler runs')
    const both = workloads.filter(
      (workload) =>
        workload.pod.metadata.annotations?.[SCALE_UP_DELAY] === undefined &&
        serving.poolsFor(workload).length > 0 &&
        serving.groupsFor(workload).length > 0,
    )
    if (both.length === 0 && serving.unknownPools.length > 0)
      return undecided(
        `the instance types of NodePool ${serving.unknownPools.join(', ')} are not known; see --instance-types`,
      )
    const [first] = both
    const sides =
      first === undefined
        ? ''
        : `NodePool ${serving.poolsFor(first).join(', ')} and node group ${serving.groupsFor(first).join(', ')}`
    return foundAny(
      both.map(nameOfWorkload),
      {
        seen: `both can run them: ${sides}`,
        remedy: `taint the NodePool and the node group, or add the annotation ${SCALE_UP_DELAY}: 10m to the pod templates that Karpenter should serve`,
      },
      'no workload fits both a NodePool and a node group',
    )
  },
}
