import type { ConditionSet } from '@kerf/apis'

/**
 * The conditions of ECSNodeClass. Karpenter's provider knows the first three and ignores the last one, so a cluster can switch in both
 * directions.
 */
export const ecsNodeClassConditions = {
  dependents: ['VSwitchesReady', 'SecurityGroupsReady', 'ImagesReady', 'ValidationSucceeded'],
  independent: [],
} as const satisfies ConditionSet
