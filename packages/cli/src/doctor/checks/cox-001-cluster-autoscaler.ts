import { inOrder, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const cox001: Check = {
  id: 'COX-001',
  group: 'coexistence',
  severity: 'information',
  title: 'Cluster Autoscaler in the cluster',
  why: 'Two autoscalers react to the same pending pods. The other checks of this group are about both together; this one shows the Cluster Autoscaler and the node groups that it scales.',
  reads: ['Deployment'],
  examine({ clusterAutoscaler }) {
    if (clusterAutoscaler === undefined) return inOrder('there is no Cluster Autoscaler')
    const { deployment, image, groups, runs, statusConfigMap } = clusterAutoscaler
    const [namespace, name] = statusConfigMap.split('/')
    const version = image === undefined ? 'of unknown version' : (/:(v?[\w.-]+)$/.exec(image)?.[1] ?? image)
    return {
      kind: 'found',
      objects: [deployment === undefined ? `ConfigMap ${statusConfigMap}` : objectName(deployment)],
      seen: `Cluster Autoscaler ${version} ${runs ? 'runs' : 'is scaled to zero'}; node groups: ${groups.map(({ name }) => name).join(', ') || 'none seen'}`,
      remedy: `kubectl -n ${namespace} get configmap ${name} -o yaml`,
    }
  },
}
