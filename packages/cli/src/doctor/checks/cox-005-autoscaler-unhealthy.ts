import { inOrder, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const cox005: Check = {
  id: 'COX-005',
  group: 'coexistence',
  severity: 'critical',
  title: 'Cluster Autoscaler stopped by unready nodes',
  why: 'Cluster Autoscaler does nothing at all while too many nodes of the cluster are unready, and it counts those of Karpenter. Its node groups go on saying Healthy meanwhile.',
  reads: ['ConfigMap'],
  examine({ clusterAutoscaler }) {
    if (clusterAutoscaler?.runs !== true) return inOrder('no Cluster Autoscaler runs')
    const { status, unreadStatus, statusConfigMap } = clusterAutoscaler
    if (status?.health === undefined) return undecided(unreadStatus ?? 'its status does not say how healthy it is')
    if (status.health !== 'Unhealthy') return inOrder(`its status says ${status.health}`)
    return {
      kind: 'found',
      objects: [`ConfigMap ${statusConfigMap}`],
      seen: 'its status says that the cluster is Unhealthy',
      remedy:
        'kubectl get nodes | grep NotReady; nodes of Karpenter no longer count with the annotation k8s.io/cluster-autoscaler-enabled: "false" in spec.template.metadata.annotations of the NodePool',
    }
  },
}
