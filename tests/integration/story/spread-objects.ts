import type { Deployment, NodePool } from '@kerf/apis'
import { nodePool as buildNodePool } from '@kerf/testing'

type NodeClassRef = NodePool['spec']['template']['spec']['nodeClassRef']

/** Returns a NodePool with spot and on-demand capacity that removes empty nodes immediately. */
export const spreadPool = (nodeClassRef: NodeClassRef, changes: Partial<NodePool['spec']> = {}): NodePool =>
  buildNodePool('general', {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] }],
    templateSpec: { nodeClassRef, expireAfter: 'Never' },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
    ...changes,
  })

/** Returns a Deployment of pods that request one CPU each. */
export const nginx = (replicas: number): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'nginx' } },
    template: {
      metadata: { labels: { app: 'nginx' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx', resources: { requests: { cpu: '1', memory: '256Mi' } } }] },
    },
  },
})

/** Returns a Deployment of pods that need one node each. */
export const spreadNginx = (replicas: number): Deployment => {
  const deployment = nginx(replicas)
  const { template } = deployment.spec
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: 'nginx' } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  }
  return {
    ...deployment,
    spec: {
      ...deployment.spec,
      template: { ...template, spec: { ...template.spec, affinity: { podAntiAffinity } } },
    },
  }
}
