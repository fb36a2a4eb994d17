import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of an EC2NodeClass, for its reference page. */
export const ec2NodeClassMeanings: ConditionMeanings = {
  AMIsReady: {
    isTrue: 'images were found',
    otherwise: '`AMINotFound`, `UnsupportedAlias` (no such image for this version of Kubernetes), `UnknownAMIFamily`',
  },
  SubnetsReady: {
    isTrue: 'subnets were found. A message beside True: none has a free address',
    otherwise: '`SubnetsNotFound`',
  },
  SecurityGroupsReady: { isTrue: 'security groups were found', otherwise: '`SecurityGroupsNotFound`' },
  InstanceProfileReady: {
    isTrue: 'the instance profile exists and has the role',
    otherwise: '`RoleNotFound`: the role of `spec.role` does not exist',
  },
  ValidationSucceeded: {
    isTrue: 'EC2 accepts what would be launched',
    otherwise:
      '`…AuthCheckFailed`: an action is not allowed; `TagValidationFailed`; `UserDataInvalid`, `UserDataSizeLimitExceeded`; `ClusterEndpointNotFound`, `ClusterCIDRResolutionFailed`; `…KubeletConfiguration`, `KubeletExpressionsDisabled`; `DependenciesNotReady`: another condition first',
  },
  PlacementGroupReady: {
    isTrue: 'the placement group was found, or none is asked for',
    otherwise: '`PlacementGroupNotFound`, `PlacementGroupResolutionFailed`',
  },
  CapacityReservationsReady: {
    isTrue: 'capacity reservations were looked for; finding none is fine',
    otherwise: 'AWS could not be asked. absent while that [feature gate](settings.md) is off',
  },
}
