import type { ConditionSet } from '@kerf/apis'

/**
 * The conditions of ECSNodeClass. Karpenter's provider uses the first three and ignores the others. So a cluster can switch from
 * Karpenter to Kerf and back.
 */
export const ecsNodeClassConditions = {
  dependents: ['VSwitchesReady', 'SecurityGroupsReady', 'ImagesReady', 'InstanceTypesReady', 'ValidationSucceeded'],
  independent: [],
} as const satisfies ConditionSet
