import type { Taint } from '@kerf/apis'

/** The label that all nodes of migrated pools carry, and that moved workloads select. */
export const SIDE_LABEL = { key: 'autoscaler', value: 'karpenter' } as const

/** The taint of migrated pools until the default flips: only workloads that were moved tolerate it. */
export const SIDE_TAINT: Taint = { ...SIDE_LABEL, effect: 'NoSchedule' }

export const SIDE_TOLERATION = {
  key: SIDE_LABEL.key,
  operator: 'Equal',
  value: SIDE_LABEL.value,
  effect: 'NoSchedule',
} as const

/** The label that takes the place of the cloud's name of a node group where workloads select by it. Its value is the NodePool's. */
export const GROUP_LABEL = 'node-group'
