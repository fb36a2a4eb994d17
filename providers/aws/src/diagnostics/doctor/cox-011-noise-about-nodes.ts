import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, inOrder, objectName } from '@kerf/provider-kit/doctor'

/**
 * If a node's annotation has the value `"false"`, Cluster Autoscaler does not manage the node
 * (`docs/spec/coexistence.md#annotations-of-cluster-autoscaler`).
 */
const NOT_MINE = 'k8s.io/cluster-autoscaler-enabled'

export const cox011: DoctorCheck = {
  id: 'COX-011',
  group: 'coexistence',
  severity: 'information',
  title: 'Nodes of Karpenter that Cluster Autoscaler logs warnings about',
  why: 'On AWS, Cluster Autoscaler logs a warning in each loop for each node that it does not know, and counts such a node as unready if it is not ready. An annotation on the nodes prevents both.',
  reads: ['Deployment', 'NodePool'],
  examine({ clusterAutoscaler, nodePools }) {
    if (clusterAutoscaler?.runs !== true || clusterAutoscaler.flags.get('cloud-provider') !== 'aws')
      return inOrder('no Cluster Autoscaler runs for AWS')
    const noisy = nodePools.filter(({ spec }) => spec.template.metadata?.annotations?.[NOT_MINE] !== 'false')
    return foundAny(
      noisy.map(objectName),
      {
        seen: `their nodes lack the annotation ${NOT_MINE}: "false"`,
        remedy: `add it to spec.template.metadata.annotations; the nodes then drift and are replaced within the budgets`,
      },
      'the nodes of all NodePools have the annotation',
    )
  },
}
