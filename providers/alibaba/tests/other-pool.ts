import { karpenterKinds, kinds, type NodePool } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'

/** The common name of the node class, NodePool, taint and Deployment. */
export const OTHER = 'other'

/** Creates a NodePool with a taint, and a Deployment of one pod that only this NodePool can run. */
export const createOtherPool = async (
  client: KubeClient,
  { group, kind }: Omit<NodePool['spec']['template']['spec']['nodeClassRef'], 'name'>,
): Promise<void> => {
  const nodeClassRef = { group, kind, name: OTHER }
  const { requirements } = spreadPool(nodeClassRef).spec.template.spec
  const taints = [{ key: OTHER, effect: 'NoSchedule' as const }]
  const pool = spreadPool(nodeClassRef, {
    template: { spec: { nodeClassRef, expireAfter: 'Never', requirements, taints } },
  })
  await client.create(karpenterKinds.NodePool, { ...pool, metadata: { ...pool.metadata, name: OTHER } })
  const deployment = nginx(1)
  const labels = { app: OTHER }
  await client.create(kinds.Deployment, {
    ...deployment,
    metadata: { name: OTHER, namespace: 'default' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...deployment.spec.template.spec,
          nodeSelector: { 'karpenter.sh/nodepool': OTHER },
          tolerations: [{ key: OTHER, operator: 'Exists' }],
        },
      },
    },
  })
}
