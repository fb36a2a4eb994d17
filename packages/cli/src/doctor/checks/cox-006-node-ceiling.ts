import { inOrder, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const cox006: Check = {
  id: 'COX-006',
  group: 'coexistence',
  severity: 'warning',
  title: 'Maximum number of nodes of Cluster Autoscaler nearly reached',
  why: 'Cluster Autoscaler compares --max-nodes-total with all nodes of the cluster, including nodes of Karpenter. At the maximum, node groups stop growing although nothing is wrong with them.',
  reads: ['Deployment', 'Node'],
  examine({ clusterAutoscaler, nodes }) {
    const most = Number(clusterAutoscaler?.flags.get('max-nodes-total') ?? 0)
    if (clusterAutoscaler?.deployment === undefined || !(most > 0)) return inOrder('no maximum number of nodes')
    if (nodes.length < 0.9 * most) return inOrder(`${nodes.length} nodes of ${most}`)
    return {
      kind: 'found',
      objects: [objectName(clusterAutoscaler.deployment)],
      seen: `--max-nodes-total=${most}, and the cluster has ${nodes.length} nodes`,
      remedy: 'raise --max-nodes-total, or remove it while both autoscalers run',
    }
  },
}
