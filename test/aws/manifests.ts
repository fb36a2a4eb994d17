import type { Deployment, NodePool } from '@kerf/apis'
import { nodePool as buildNodePool } from '@kerf/testing'

/** A pool of spot and on-demand instances whose empty nodes go at once. */
export const nodePool = (changes: Partial<NodePool['spec']> = {}): NodePool =>
  buildNodePool('general', {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] }],
    templateSpec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      expireAfter: 'Never',
    },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
    ...changes,
  })

/** Pods of one CPU each. */
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

/** As many pods as nodes: no two of them share one. */
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
