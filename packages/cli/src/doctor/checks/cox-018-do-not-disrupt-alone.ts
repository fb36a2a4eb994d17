import { annotations } from '@kerf/apis'
import { foundAny, inOrder } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { SAFE_TO_EVICT } from '../cluster-autoscaler-annotations.ts'
import { nameOfWorkload } from '../workload.ts'

export const cox018: Check = {
  id: 'COX-018',
  group: 'coexistence',
  severity: 'warning',
  title: 'do-not-disrupt without safe-to-evict',
  why: 'Cluster Autoscaler does not read karpenter.sh/do-not-disrupt. Pods that have it can be evicted from nodes of node groups unless they also have safe-to-evict: "false".',
  reads: ['Deployment', 'Node'],
  examine({ clusterAutoscaler, workloads, serving }) {
    if (clusterAutoscaler?.runs !== true) return inOrder('no Cluster Autoscaler runs')
    const exposed = workloads.filter((workload) => {
      const given = workload.pod.metadata.annotations ?? {}
      return (
        given[annotations.doNotDisrupt] !== undefined &&
        given[SAFE_TO_EVICT] !== 'false' &&
        serving.groupsFor(workload).length > 0
      )
    })
    return foundAny(
      exposed.map(nameOfWorkload),
      {
        seen: `they have ${annotations.doNotDisrupt}, a node group can run them, and ${SAFE_TO_EVICT}: "false" is missing`,
        remedy: `add ${SAFE_TO_EVICT}: "false" to the annotations of the pod template`,
      },
      'no pod that a node group can run is protected from Karpenter only',
    )
  },
}
