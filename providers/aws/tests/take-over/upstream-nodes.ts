import { REGION } from './upstream-classes.ts'
import { upstreamPools } from './upstream-pools.ts'

/** The sizes that AWS publishes for the instance types of the nodes. */
export const instanceSizes = {
  'm5.large': {
    category: 'm',
    generation: '5',
    family: 'm5',
    cpu: '2',
    memory: '8192',
    capacity: '7577Mi',
    free: '6803Mi',
  },
  'c5.large': {
    category: 'c',
    generation: '5',
    family: 'c5',
    cpu: '2',
    memory: '4096',
    capacity: '3788Mi',
    free: '3114Mi',
  },
} as const

export const zones = { a: 'use1-az1', b: 'use1-az2', c: 'use1-az3' } as const

/** A node of upstream, in any stage of its launch. */
export interface UpstreamNode {
  readonly claim: string
  readonly pool: keyof typeof upstreamPools & string
  readonly type: keyof typeof instanceSizes
  readonly zone: keyof typeof zones
  readonly image: string
  readonly spot: boolean
  readonly pods: string
  readonly stage: 'running' | 'launching' | 'deleting'
  /** The resource requests of its pod. Absent for a node without pods. */
  readonly pod?: Readonly<Record<string, string>>
}

export const busy = { cpu: '1500m', memory: '2Gi' }
const webNode = { pool: 'web', type: 'm5.large', image: 'ami-x86', spot: true, pods: '40' } as const
export const upstreamNodes: readonly UpstreamNode[] = [
  { ...webNode, claim: 'web-7hx2k', zone: 'a', stage: 'running', pod: busy },
  { ...webNode, claim: 'web-q9c4d', zone: 'b', stage: 'running', pod: busy },
  {
    claim: 'data-b5mzp',
    pool: 'data',
    type: 'm5.large',
    zone: 'b',
    image: 'ami-br',
    spot: false,
    pods: '29',
    stage: 'running',
    pod: busy,
  },
  {
    claim: 'batch-x4wtn',
    pool: 'batch',
    type: 'c5.large',
    zone: 'c',
    image: 'ami-x86',
    spot: false,
    pods: '29',
    stage: 'running',
    pod: { cpu: '1', memory: '1Gi' },
  },
  ...(['fixed-2k8vd', 'fixed-lr6sj'] as const).map(
    (claim, index): UpstreamNode => ({
      claim,
      pool: 'fixed',
      type: 'm5.large',
      zone: index === 0 ? 'a' : 'c',
      image: 'ami-x86',
      spot: false,
      pods: '40',
      stage: 'running',
    }),
  ),
  { ...webNode, claim: 'web-launching', zone: 'a', stage: 'launching' },
  { ...webNode, claim: 'web-deleting', zone: 'c', stage: 'deleting', pod: { cpu: '100m', memory: '64Mi' } },
]

export const nodeIndex = ({ claim }: UpstreamNode): number => upstreamNodes.findIndex((each) => each.claim === claim)
/** Returns the id of the node's instance. The launching NodeClaim also has an instance, but its status does not contain the id yet. */
export const upstreamInstanceId = (node: UpstreamNode): string => `i-0a1b2c3d4e5f6000${nodeIndex(node)}`
export const upstreamNodeName = (node: UpstreamNode): string => `ip-10-0-${nodeIndex(node)}-17.ec2.internal`
export const upstreamZone = ({ zone }: UpstreamNode): string => `${REGION}${zone}`
export const upstreamProviderId = (node: UpstreamNode): string =>
  `aws:///${upstreamZone(node)}/${upstreamInstanceId(node)}`

export const upstreamLabels = (node: UpstreamNode): Readonly<Record<string, string>> => {
  const machine = instanceSizes[node.type]
  return {
    ...upstreamPools[node.pool]?.spec.template.metadata?.labels,
    'karpenter.k8s.aws/ec2nodeclass': upstreamPools[node.pool]?.nodeClass ?? '',
    'karpenter.k8s.aws/instance-capability-flex': 'false',
    'karpenter.k8s.aws/instance-category': machine.category,
    'karpenter.k8s.aws/instance-cpu': machine.cpu,
    'karpenter.k8s.aws/instance-cpu-manufacturer': 'intel',
    'karpenter.k8s.aws/instance-family': machine.family,
    'karpenter.k8s.aws/instance-generation': machine.generation,
    'karpenter.k8s.aws/instance-hypervisor': 'nitro',
    'karpenter.k8s.aws/instance-memory': machine.memory,
    'karpenter.k8s.aws/instance-size': 'large',
    'karpenter.k8s.aws/instance-tenancy': 'default',
    'karpenter.sh/capacity-type': node.spot ? 'spot' : 'on-demand',
    'karpenter.sh/nodepool': node.pool,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': node.type,
    'topology.k8s.aws/zone-id': zones[node.zone],
    'topology.kubernetes.io/region': REGION,
    'topology.kubernetes.io/zone': upstreamZone(node),
  }
}

export const upstreamAmounts = (node: UpstreamNode) => ({
  cpu: '2',
  'ephemeral-storage': '50Gi',
  memory: instanceSizes[node.type].capacity,
  pods: node.pods,
  'vpc.amazonaws.com/pod-eni': '9',
})
export const upstreamFree = (node: UpstreamNode) => ({
  ...upstreamAmounts(node),
  cpu: '1830m',
  'ephemeral-storage': '44Gi',
  memory: instanceSizes[node.type].free,
})
