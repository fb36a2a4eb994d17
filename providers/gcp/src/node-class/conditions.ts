import type { ConditionSet } from '@kerf/apis'

/** The conditions of GCENodeClass. */
export const gceNodeClassConditions = {
  dependents: ['ImagesReady', 'InstanceTypesReady', 'ValidationSucceeded'],
  independent: [],
} as const satisfies ConditionSet
