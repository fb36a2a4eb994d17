import type { Taint } from '@kerf/apis'

/** Label that all nodes of migrated NodePools have, and that moved workloads select. */
export const SIDE_LABEL = { key: 'autoscaler', value: 'karpenter' } as const

/** Taint of migrated NodePools until they become the default. Only moved workloads tolerate it. */
export const SIDE_TAINT: Taint = { ...SIDE_LABEL, effect: 'NoSchedule' }

export const SIDE_TOLERATION = {
  key: SIDE_LABEL.key,
  operator: 'Equal',
  value: SIDE_LABEL.value,
  effect: 'NoSchedule',
} as const

/** Label that replaces the cloud's label for a node group, if workloads select by it. Its value is the name of the NodePool. */
export const GROUP_LABEL = 'node-group'
