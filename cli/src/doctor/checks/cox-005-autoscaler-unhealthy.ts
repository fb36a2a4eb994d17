import { type Check, inOrder } from '../check.ts'

export const cox005: Check = {
  id: 'COX-005',
  group: 'coexistence',
  severity: 'critical',
  title: 'Cluster Autoscaler stopped by unready nodes',
  why: 'Cluster Autoscaler does nothing at all while too many nodes of the cluster are unready, and it counts those of Karpenter. Its node groups go on saying Healthy meanwhile.',
  reads: ['ConfigMap'],
  examine({ clusterAutoscaler }) {
    const health = clusterAutoscaler?.status?.health
    if (clusterAutoscaler === undefined || health !== 'Unhealthy')
      return inOrder(health === undefined ? 'no status of a Cluster Autoscaler' : `its status says ${health}`)
    return {
      kind: 'found',
      objects: [`ConfigMap ${clusterAutoscaler.namespace}/cluster-autoscaler-status`],
      seen: 'its status says that the cluster is Unhealthy',
      remedy:
        'kubectl get nodes | grep NotReady; nodes of Karpenter no longer count with the annotation k8s.io/cluster-autoscaler-enabled: "false" in spec.template.metadata.annotations of the NodePool',
    }
  },
}
