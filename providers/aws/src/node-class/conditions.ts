import type { ConditionSet } from '@kerf/apis'

/** The conditions of EC2NodeClass. */
export const ec2NodeClassConditions = {
  // If the feature gate ReservedCapacity is off, the controller omits CapacityReservationsReady.
  dependents: [
    'AMIsReady',
    'SubnetsReady',
    'SecurityGroupsReady',
    'InstanceProfileReady',
    'ValidationSucceeded',
    'PlacementGroupReady',
    'CapacityReservationsReady',
  ],
  independent: [],
} as const satisfies ConditionSet
