import type { ConditionSet } from '@kerf/apis'

/** The conditions of AKSNodeClass. */
export const aksNodeClassConditions = {
  dependents: ['ImagesReady', 'KubernetesVersionReady', 'SubnetsReady', 'ValidationSucceeded', 'LocalDNSReady'],
  independent: [],
} as const satisfies ConditionSet
