import type { Situation } from './situation.ts'

/** Short intervals, so that the real Cluster Autoscaler needs only seconds. */
const fast = {
  'scan-interval': '1s',
  'scale-down-unneeded-time': '6s',
  'scale-down-delay-after-add': '8s',
  'unremovable-node-recheck-timeout': '4s',
} as const

const small = { name: 'small', cpu: '4', memory: '16Gi', max: 20 } as const
const large = { name: 'large', cpu: '16', memory: '64Gi', max: 20 } as const
const pod = { app: 'web', cpu: '1', memory: '2Gi' } as const
const down = { ...fast, 'scale-down-delay-after-add': '1s' } as const

/**
 * Situations in which the model must behave like the real Cluster Autoscaler 1.36.1. `recorded.json` contains the recorded behavior of the
 * real program.
 */
export const situations: readonly Situation[] = [
  { name: 'one pod, one group', flags: fast, groups: [small], pods: [{ ...pod, count: 1 }], seconds: 6 },
  { name: 'pods by first fit on one group', flags: fast, groups: [small], pods: [{ ...pod, count: 10 }], seconds: 6 },
  {
    name: 'least-waste takes the group that fits best',
    flags: fast,
    groups: [small, large],
    pods: [{ ...pod, count: 3 }],
    seconds: 6,
  },
  {
    name: 'least-waste takes the large group for large pods',
    flags: fast,
    groups: [small, large],
    pods: [{ ...pod, app: 'big', cpu: '7', memory: '30Gi', count: 4 }],
    seconds: 6,
  },
  {
    name: 'most-pods',
    flags: { ...fast, expander: 'most-pods' },
    groups: [{ ...small, max: 1 }, large],
    pods: [{ ...pod, count: 9 }],
    seconds: 6,
  },
  {
    name: 'least-nodes',
    flags: { ...fast, expander: 'least-nodes' },
    groups: [small, large],
    pods: [{ ...pod, count: 12 }],
    seconds: 6,
  },
  {
    name: 'the maximum of a group caps it, and a second loop takes the other',
    flags: fast,
    groups: [{ ...small, max: 2 }, large],
    pods: [{ ...pod, count: 14 }],
    seconds: 9,
  },
  {
    name: 'all groups are at their maximum',
    flags: fast,
    groups: [{ ...small, max: 1, nodes: 1 }],
    pods: [{ ...pod, count: 8 }],
    seconds: 8,
  },
  {
    name: 'a taint that nobody tolerates',
    flags: fast,
    groups: [{ ...small, taints: [{ key: 'gpu', effect: 'NoSchedule' }] }],
    pods: [{ ...pod, count: 2 }],
    seconds: 6,
  },
  {
    name: 'a selector that no group has',
    flags: fast,
    groups: [small, large],
    pods: [{ ...pod, count: 2, nodeSelector: { 'karpenter.sh/nodepool': 'default' } }],
    seconds: 6,
  },
  {
    name: 'a pod that is larger than every node',
    flags: fast,
    groups: [small, large],
    pods: [{ ...pod, cpu: '20', count: 1 }],
    seconds: 6,
  },
  {
    name: 'free room on a foreign node is used',
    flags: fast,
    groups: [small],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 6 }],
    seconds: 6,
  },
  {
    name: 'more pods than a foreign node has room for',
    flags: fast,
    groups: [small],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 12 }],
    seconds: 6,
  },
  {
    name: 'the delay annotation of a pod',
    flags: fast,
    groups: [small],
    pods: [
      { ...pod, count: 3, annotations: { 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay': '10m' } },
      { ...pod, app: 'other', count: 2 },
    ],
    seconds: 8,
  },
  {
    name: 'a pod below the priority cut-off',
    flags: fast,
    groups: [small],
    pods: [{ ...pod, count: 2, priority: -20 }],
    seconds: 6,
  },
  {
    name: 'the ceiling of nodes',
    flags: { ...fast, 'max-nodes-total': '2' },
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '1', memory: '1Gi' }],
    pods: [
      { ...pod, app: 'big', cpu: '4', memory: '8Gi', count: 3, nodeSelector: { 'kwok-nodegroup': 'small' } },
      { ...pod, app: 'full', cpu: '3', count: 1, node: 'small-0' },
    ],
    seconds: 7,
  },
  { name: 'empty nodes go together', flags: down, groups: [{ ...small, nodes: 4 }], pods: [], seconds: 14 },
  { name: 'the minimum of a group', flags: down, groups: [{ ...small, min: 2, nodes: 4 }], pods: [], seconds: 14 },
  {
    name: 'a node over half full stays',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 3, node: 'small-0' }],
    seconds: 14,
  },
  {
    name: 'a node at half is drained onto a foreign node',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 2, node: 'small-0' }],
    seconds: 20,
  },
  {
    name: 'safe-to-evict false',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [
      { ...pod, count: 1, node: 'small-0', annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } },
    ],
    seconds: 14,
  },
  {
    name: 'a pod without an owner',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 1, node: 'small-0', owner: 'none' }],
    seconds: 14,
  },
  {
    name: 'local storage',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 1, node: 'small-0', local: true }],
    seconds: 14,
  },
  {
    name: 'local storage of a pod that is safe to evict',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [
      {
        ...pod,
        count: 1,
        node: 'small-0',
        local: true,
        annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
      },
    ],
    seconds: 20,
  },
  {
    name: 'a PodDisruptionBudget that allows nothing',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    foreign: [{ name: 'karpenter-1', cpu: '8', memory: '32Gi' }],
    pods: [{ ...pod, count: 1, node: 'small-0' }],
    budgets: [{ app: 'web', allowed: 0 }],
    seconds: 14,
  },
  {
    name: 'scale-down is disabled on a node',
    flags: down,
    groups: [{ ...small, nodes: 2, annotations: { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' } }],
    pods: [],
    seconds: 12,
  },
  {
    name: 'pods of a node have no other place',
    flags: down,
    groups: [{ ...small, nodes: 1 }],
    pods: [{ ...pod, count: 1, node: 'small-0' }],
    seconds: 12,
  },
  {
    name: 'unneeded nodes carry the soft taint',
    flags: { ...down, 'scale-down-unneeded-time': '60s' },
    groups: [{ ...small, nodes: 2 }],
    pods: [],
    seconds: 8,
  },
  {
    name: 'scale-down is switched off',
    flags: { ...down, 'scale-down-enabled': 'false' },
    groups: [{ ...small, nodes: 2 }],
    pods: [],
    seconds: 12,
  },
]
