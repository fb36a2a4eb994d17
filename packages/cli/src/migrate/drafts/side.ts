import type { Taint } from '@kerf/apis'

/** Label on all nodes of migrated NodePools. Moved workloads select it. */
export const SIDE_LABEL = { key: 'autoscaler', value: 'karpenter' } as const

/** Taint on the nodes of migrated NodePools until these become the default. Only moved workloads tolerate it. */
export const SIDE_TAINT: Taint = { ...SIDE_LABEL, effect: 'NoSchedule' }

export const SIDE_TOLERATION = {
  key: SIDE_LABEL.key,
  operator: 'Equal',
  value: SIDE_LABEL.value,
  effect: 'NoSchedule',
} as const

/**
 * Label that replaces the cloud's label for a node group, if workloads select that label. Its value is the name of the NodePool.
 */
export const GROUP_LABEL = 'node-group'
