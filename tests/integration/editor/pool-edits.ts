import { groupVersion, karpenterKinds, type NodePool, type Pod } from '@kerf/apis'

const ARCH = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }
const ZONE = 'topology.kubernetes.io/zone'
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

const template = {
  metadata: { labels: { team: 'shop' } },
  spec: {
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    requirements: [ARCH],
    expireAfter: '720h',
  },
}
/** The NodePool's spec before each edit. Its budget forbids replacements, so that drift is the only visible effect. */
export const poolSpec = { template, disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } }

const inTemplate = (change: object): object => ({ template: { ...template, spec: { ...template.spec, ...change } } })
const requiring = (...more: readonly object[]): object => inTemplate({ requirements: [ARCH, ...more] })

/** The edits. Each one starts from the same NodePool. */
export const poolEdits: Readonly<Record<string, object>> = {
  weight: { weight: 10 },
  'limit of cpu': { limits: { cpu: '100' } },
  'limit that is exceeded': { limits: { cpu: '0' } },
  'limit of nodes': { limits: { nodes: '5' } },
  budgets: { disruption: { ...poolSpec.disruption, budgets: [{ nodes: '0' }, { nodes: '5', reasons: ['Drifted'] }] } },
  consolidateAfter: { disruption: { ...poolSpec.disruption, consolidateAfter: '10h' } },
  consolidationPolicy: { disruption: { ...poolSpec.disruption, consolidationPolicy: 'WhenEmpty' } },
  expireAfter: inTemplate({ expireAfter: '240h' }),
  'expireAfter in other words': inTemplate({ expireAfter: '43200m' }),
  terminationGracePeriod: inTemplate({ terminationGracePeriod: '1h' }),
  taint: inTemplate({ taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] }),
  'startup taint': inTemplate({ startupTaints: [{ key: 'boot', effect: 'NoSchedule' }] }),
  'another label': { template: { ...template, metadata: { labels: { team: 'other' } } } },
  'one label more': { template: { ...template, metadata: { labels: { team: 'shop', tier: 'web' } } } },
  'no label': { template: { ...template, metadata: {} } },
  annotation: { template: { ...template, metadata: { ...template.metadata, annotations: { note: 'a' } } } },
  'the other architecture': inTemplate({ requirements: [{ ...ARCH, values: ['arm64'] }] }),
  'both architectures': inTemplate({ requirements: [{ ...ARCH, values: ['amd64', 'arm64'] }] }),
  'on-demand alone': requiring({ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }),
  'spot alone': requiring({ key: CAPACITY_TYPE, operator: 'In', values: ['spot'] }),
  'a zone that nodes have or not': requiring({ key: ZONE, operator: 'In', values: ['test-zone-a'] }),
  'not that zone': requiring({ key: ZONE, operator: 'NotIn', values: ['test-zone-a'] }),
  'a system that is there': requiring({ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }),
  'a system that is not': requiring({ key: 'kubernetes.io/os', operator: 'In', values: ['windows'] }),
  'a label of nobody': requiring({ key: 'example.org/rack', operator: 'Exists' }),
  'a label that nobody has': requiring({ key: 'example.org/rack', operator: 'DoesNotExist' }),
}

/** The pool before the edit. */
export const editedPool = {
  apiVersion: groupVersion(karpenterKinds.NodePool),
  kind: 'NodePool',
  metadata: { name: 'edited' },
  spec: poolSpec,
} as unknown as NodePool

/** Returns a pod that takes a whole node of the NodePool. */
const podIn = (zone: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: zone, namespace: 'default' },
  spec: {
    nodeSelector: { [ZONE]: zone, 'karpenter.sh/nodepool': 'edited' },
    containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '500m' } } }],
  },
})

/** One pod for each node. Each pod requires a different zone. */
export const podsOfEdited: readonly Pod[] = ['test-zone-a', 'test-zone-b', 'test-zone-c'].map(podIn)
