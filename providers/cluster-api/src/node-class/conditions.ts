import type { ConditionSet } from '@kerf/apis'

/** The conditions of ClusterAPINodeClass. */
export const clusterApiNodeClassConditions = {
  dependents: ['MachineDeploymentsReady'],
  independent: ['MembersClear', 'PricesKnown'],
} as const satisfies ConditionSet
