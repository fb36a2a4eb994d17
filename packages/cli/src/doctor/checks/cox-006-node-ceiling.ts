import { inOrder, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const cox006: Check = {
  id: 'COX-006',
  group: 'coexistence',
  severity: 'warning',
  title: 'Ceiling of Cluster Autoscaler nearly reached',
  why: 'Cluster Autoscaler compares --max-nodes-total with all nodes of the cluster, those of Karpenter too. Node groups then no longer grow although nothing is wrong with them.',
  reads: ['Deployment', 'Node'],
  examine({ clusterAutoscaler, nodes }) {
    const most = Number(clusterAutoscaler?.flags.get('max-nodes-total') ?? 0)
    if (clusterAutoscaler?.deployment === undefined || !(most > 0)) return inOrder('no ceiling on the number of nodes')
    if (nodes.length < 0.9 * most) return inOrder(`${nodes.length} nodes of ${most}`)
    return {
      kind: 'found',
      objects: [objectName(clusterAutoscaler.deployment)],
      seen: `--max-nodes-total=${most}, and the cluster has ${nodes.length} nodes`,
      remedy: 'raise --max-nodes-total, or leave it out while both autoscalers run',
    }
  },
}
