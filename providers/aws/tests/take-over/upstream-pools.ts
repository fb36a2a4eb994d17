import type { NodePool } from '@kerf/apis'
import type { upstreamClasses } from './upstream-classes.ts'
import { upstreamNodePoolHash } from './upstream-hash.ts'

const STARTUP = [{ key: 'example.com/agent', effect: 'NoSchedule' }] as const
const DEDICATED = [{ key: 'dedicated', value: 'data', effect: 'NoSchedule' }] as const

interface UpstreamPool {
  readonly nodeClass: keyof typeof upstreamClasses & string
  readonly spec: NodePool['spec']
  readonly hash: string
}

const classRef = (name: string) => ({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name }) as const
const capacity = (...values: readonly string[]) =>
  ({ key: 'karpenter.sh/capacity-type', operator: 'In', values: [...values] }) as const
const category = { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] } as const

export const upstreamPools: Readonly<Record<string, UpstreamPool>> = {
  web: {
    nodeClass: 'al2023',
    spec: {
      template: {
        metadata: { labels: { team: 'web' } },
        spec: {
          nodeClassRef: classRef('al2023'),
          requirements: [capacity('spot', 'on-demand'), category],
          expireAfter: '720h',
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '30s',
        budgets: [{ nodes: '10%' }],
      },
      limits: { cpu: '1000' },
    },
    hash: upstreamNodePoolHash({ labels: { team: 'web' }, nodeClassRef: classRef('al2023'), expireAfterHours: 720 }),
  },
  data: {
    nodeClass: 'bottlerocket',
    spec: {
      template: {
        spec: {
          nodeClassRef: classRef('bottlerocket'),
          requirements: [capacity('on-demand')],
          taints: DEDICATED.map((taint) => ({ ...taint })),
          expireAfter: 'Never',
        },
      },
      // A NodeClaim of this NodePool has already drifted, so the budget forbids all disruption.
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '0' }] },
    },
    hash: upstreamNodePoolHash({ taints: DEDICATED, nodeClassRef: classRef('bottlerocket') }),
  },
  batch: {
    nodeClass: 'custom',
    spec: {
      template: {
        spec: {
          nodeClassRef: classRef('custom'),
          requirements: [capacity('on-demand')],
          startupTaints: STARTUP.map((taint) => ({ ...taint })),
          expireAfter: '720h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '1h', budgets: [{ nodes: '10%' }] },
    },
    hash: upstreamNodePoolHash({ startupTaints: STARTUP, nodeClassRef: classRef('custom'), expireAfterHours: 720 }),
  },
  fixed: {
    nodeClass: 'al2023',
    spec: {
      replicas: 2,
      template: {
        spec: {
          nodeClassRef: classRef('al2023'),
          requirements: [capacity('on-demand'), category],
          expireAfter: '720h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '10%' }] },
    },
    hash: upstreamNodePoolHash({ nodeClassRef: classRef('al2023'), expireAfterHours: 720 }),
  },
}
