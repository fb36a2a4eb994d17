import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of an EC2NodeClass, for its reference page. */
export const ec2NodeClassMeanings: ConditionMeanings = {
  AMIsReady: {
    isTrue: 'images were found',
    otherwise: '`AMINotFound`, `UnsupportedAlias` (no such image for this version of Kubernetes), `UnknownAMIFamily`',
  },
  SubnetsReady: {
    isTrue: 'subnets were found. With a message: none has a free address',
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
    isTrue: 'the placement group was found, or none is configured',
    otherwise: '`PlacementGroupNotFound`, `PlacementGroupResolutionFailed`',
  },
  CapacityReservationsReady: {
    isTrue: 'the search for capacity reservations succeeded, even if it found none',
    otherwise: 'the request to AWS failed. Absent if the [feature gate](settings.md) is off',
  },
}
