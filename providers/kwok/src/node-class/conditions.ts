import type { ConditionSet } from '@kerf/apis'

/** The conditions of KWOKNodeClass. */
export const kwokNodeClassConditions = {
  dependents: [],
  independent: [],
} as const satisfies ConditionSet
