import type { ConditionSet } from '@kerf/apis'

/** The conditions of GCENodeClass. */
export const gceNodeClassConditions = {
  dependents: ['ImagesReady', 'ValidationSucceeded'],
  independent: [],
} as const satisfies ConditionSet
