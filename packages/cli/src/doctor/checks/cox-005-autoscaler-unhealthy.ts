import { inOrder, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const cox005: Check = {
  id: 'COX-005',
  group: 'coexistence',
  severity: 'critical',
  title: 'Cluster Autoscaler stopped by unready nodes',
  why: 'Cluster Autoscaler stops working while too many nodes of the cluster are not ready, and it counts nodes of Karpenter too. Its node groups still report Healthy.',
  reads: ['ConfigMap'],
  examine({ clusterAutoscaler }) {
    if (clusterAutoscaler?.runs !== true) return inOrder('no Cluster Autoscaler runs')
    const { status, unreadStatus, statusConfigMap } = clusterAutoscaler
    if (status?.health === undefined) return undecided(unreadStatus ?? 'its status does not contain the health')
    if (status.health !== 'Unhealthy') return inOrder(`its status says ${status.health}`)
    return {
      kind: 'found',
      objects: [`ConfigMap ${statusConfigMap}`],
      seen: 'its status says that the cluster is Unhealthy',
      remedy:
        'kubectl get nodes | grep NotReady; to exclude nodes of Karpenter, set the annotation k8s.io/cluster-autoscaler-enabled: "false" in spec.template.metadata.annotations of the NodePool',
    }
  },
}
