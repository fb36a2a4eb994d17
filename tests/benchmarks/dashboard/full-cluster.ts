import { labels } from '@kerf/apis'

const ZONES = ['a', 'b', 'c'] as const
const time = '2026-01-01T00:00:00Z'
const condition = (type: string, status = 'True') => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime: time,
})

/** The objects of a cluster with this many nodes and pods, as the API server stores them. */
export interface FullCluster {
  readonly pools: readonly object[]
  readonly claims: readonly object[]
  readonly nodes: readonly object[]
  readonly pods: readonly object[]
}

/** Returns a cluster with ten pods per node. One pod in a hundred is pending and has no node. */
export const fullCluster = (nodes: number, pods: number): FullCluster => {
  const pools = ['general', 'batch', 'web', 'data', 'spare'].map((name) => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [{ key: labels.os, operator: 'In', values: ['linux'] }],
        },
      },
      limits: { cpu: '4000' },
    },
    status: { conditions: [condition('Ready')], resources: { cpu: '400', nodes: '100' } },
  }))
  const names = Array.from({ length: nodes }, (_, place) => `node-${place}`)
  const labelsOf = (place: number) => ({
    [labels.nodePool]: pools[place % pools.length]?.metadata.name,
    [labels.instanceType]: `m-${2 ** (1 + (place % 4))}x-amd64-linux`,
    [labels.zone]: `zone-${ZONES[place % 3]}`,
    [labels.capacityType]: place % 2 === 0 ? 'spot' : 'on-demand',
    [labels.arch]: 'amd64',
    [labels.os]: 'linux',
    [labels.registered]: 'true',
    [labels.initialized]: 'true',
    'eks-node-viewer/instance-price': String(0.05 * (1 + (place % 4))),
  })
  const resources = {
    capacity: { cpu: '8', memory: '32Gi', pods: '110' },
    allocatable: { cpu: '7800m', memory: '30Gi', pods: '110' },
  }
  return {
    pools,
    claims: names.map((name, place) => ({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `claim-${name}`, labels: labelsOf(place) },
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [],
      },
      status: {
        nodeName: name,
        providerID: `kwok://${name}`,
        conditions: ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => condition(type)),
        ...resources,
      },
    })),
    nodes: names.map((name, place) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labelsOf(place), [labels.hostname]: name } },
      spec: { providerID: `kwok://${name}` },
      status: { ...resources, conditions: [condition('Ready')] },
    })),
    pods: Array.from({ length: pods }, (_, place) => {
      const isPending = place % 100 === 99
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${place}`, namespace: 'default', labels: { app: `app-${place % 40}` } },
        spec: {
          ...(isPending ? { nodeSelector: { disk: 'nvme' } } : { nodeName: names[place % names.length] }),
          containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
        },
        status: isPending
          ? { phase: 'Pending', conditions: [{ ...condition('PodScheduled', 'False'), reason: 'Unschedulable' }] }
          : { phase: 'Running', conditions: [condition('PodScheduled'), condition('Ready')] },
      }
    }),
  }
}
