import { nodePoolHash } from '@kerf/apis'
import type { ClusterObjects } from '../cluster-snapshot.ts'
import { priceLabels } from '../generated/displayed-kinds.ts'
import { labelPrices } from '../prices.ts'
import { seenInstanceTypes } from '../seen-instance-types.ts'

export const [priceLabel = ''] = priceLabels

/** The current time in the tests, in milliseconds. */
export const NOW = Date.parse('2026-01-01T12:00:00Z')

/** Returns a condition. */
export const condition = (type: string, status = 'True') => ({
  type,
  status,
  reason: type,
  lastTransitionTime: '2026-01-01T00:00:00Z',
})

/** Returns a NodePool without requirements. */
export const pool = (spec: object = {}, name = 'general') => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name, uid: `pool-${name}` },
  spec: {
    template: {
      metadata: { labels: { team: 'a' } },
      spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'default' }, requirements: [] },
    },
    ...spec,
  },
  status: { conditions: [condition('Ready')] },
})

/** Returns the labels of a node and its claim. */
export const nodeLabels = (name: string, zone: string) => ({
  'karpenter.sh/nodepool': 'general',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'karpenter.sh/capacity-type': 'spot',
  'node.kubernetes.io/instance-type': 'm.large',
  'topology.kubernetes.io/zone': zone,
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/os': 'linux',
  'kubernetes.io/hostname': name,
  [priceLabel]: '0.1',
  team: 'a',
})
/** What a node has. */
export const resources = {
  capacity: { cpu: '2', memory: '8Gi', pods: '110' },
  allocatable: { cpu: '1900m', memory: '7Gi', pods: '110' },
}

/** Returns the NodeClaim of a node, with the hash of the NodePool. */
export const claim = (name: string, zone: string) => ({
  metadata: {
    name: `claim-${name}`,
    uid: `claim-${name}`,
    labels: nodeLabels(name, zone),
    annotations: {
      'karpenter.sh/nodepool-hash': nodePoolHash(pool() as never),
      'karpenter.sh/nodepool-hash-version': 'v3',
    },
    ownerReferences: [{ kind: 'NodePool', name: 'general', uid: 'pool-general' }],
  },
  spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'default' }, requirements: [] },
  status: {
    nodeName: name,
    providerID: `x:///${name}`,
    conditions: [condition('Launched'), condition('Registered')],
    ...resources,
  },
})
/** Returns a Node that is ready. */
export const node = (name: string, zone: string) => ({
  metadata: {
    name,
    uid: `node-${name}`,
    labels: nodeLabels(name, zone),
    ownerReferences: [{ kind: 'NodeClaim', name: 'x', uid: `claim-${name}` }],
  },
  spec: { providerID: `x:///${name}` },
  status: { ...resources, conditions: [condition('Ready')] },
})
/** Returns a pod that requests half a CPU. */
export const pod = (name: string, spec: object = {}, status: object = { phase: 'Running' }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: `pod-${name}`, labels: { app: name } },
  spec: { containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m' } } }], ...spec },
  status,
})
/** The status of a pod that fits nowhere. */
export const unscheduled = {
  phase: 'Pending',
  conditions: [{ ...condition('PodScheduled', 'False'), reason: 'Unschedulable' }],
}

/** Returns a cluster of two nodes with a pod each. The lists in `more` replace the default lists. */
export const objects = (more: Partial<ClusterObjects> = {}): ClusterObjects => ({
  pools: [pool()],
  claims: [claim('a', 'z1'), claim('b', 'z2')],
  nodes: [node('a', 'z1'), node('b', 'z2')],
  pods: [pod('one', { nodeName: 'a' }), pod('two', { nodeName: 'b' })],
  daemonSets: [],
  namespaces: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  ...more,
})
/** Returns the instance types that the nodes of the cluster show. */
export const shownTypes = ({ claims, nodes, pools }: ClusterObjects) =>
  seenInstanceTypes(claims, nodes, pools, labelPrices)
