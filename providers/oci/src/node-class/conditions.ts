import type { ConditionMeanings, ConditionSet } from '@kerf/apis'

/** The conditions of OciNodeClass. zoom/karpenter-oci writes the first three, and ignores the last one. */
export const communityConditions = {
  dependents: ['ImageReady', 'SubnetsReady', 'SecurityGroupsReady', 'ValidationSucceeded'],
  independent: [],
} as const satisfies ConditionSet

/**
 * The conditions of OCINodeClass. Oracle's provider writes the conditions from `KmsKey` to `ComputeCluster` only if the class has the
 * corresponding field, and ignores `ValidationSucceeded`. Kerf always writes all of them.
 */
export const oracleConditions = {
  dependents: [
    'Image',
    'Network',
    'NodeCompartment',
    'KmsKey',
    'CapacityReservation',
    'ClusterPlacementGroup',
    'ComputeCluster',
    'ValidationSucceeded',
  ],
  independent: [],
} as const satisfies ConditionSet

const UNKNOWN = 'Unknown: Oracle Cloud did not answer'

const validation = {
  isTrue: 'Oracle Cloud and the kubelet accept the values that the CRD does not check',
  otherwise: '`Invalid`: the message names each field, what is wrong with it, and what to write instead',
}

/** The meaning of each condition of OciNodeClass, for its reference page. */
export const communityMeanings: ConditionMeanings = {
  ImageReady: {
    isTrue: 'the selector finds at least one image',
    otherwise: `\`ImagesNotFound\`: the message names each entry that finds nothing. ${UNKNOWN}`,
  },
  SubnetsReady: {
    isTrue: 'the selector finds at least one subnet',
    otherwise: `\`SubnetsNotFound\`: the message names each entry that finds nothing. ${UNKNOWN}`,
  },
  SecurityGroupsReady: {
    isTrue: 'the selector finds at least one network security group',
    otherwise: `\`SecurityGroupsNotFound\`: the message names each entry that finds nothing. ${UNKNOWN}`,
  },
  ValidationSucceeded: validation,
}

const found = (what: string, reason: string) => ({
  isTrue: `the class has no ${what}, or each of them exists`,
  otherwise: `\`${reason}\`: the message names what does not exist, or is not unique. ${UNKNOWN}`,
})

/** The meaning of each condition of OCINodeClass, for its reference page. */
export const oracleMeanings: ConditionMeanings = {
  Image: {
    isTrue: 'at least one image exists',
    otherwise: `\`ImageResolveFailure\`: the message names the OCID or the filter that finds nothing. ${UNKNOWN}`,
  },
  Network: {
    isTrue: 'each subnet and each network security group exists',
    otherwise: `\`NetworkResolveFailure\`: the message names what does not exist, or is not unique. ${UNKNOWN}`,
  },
  NodeCompartment: {
    isTrue: 'the compartment of the instances exists',
    otherwise: `\`NodeCompartmentResolveFailure\`: the compartment does not exist, or Kerf may not read it. ${UNKNOWN}`,
  },
  KmsKey: found('encryption key', 'KmsKeyResolveFailure'),
  CapacityReservation: found('capacity reservation', 'CapacityReservationResolveFailure'),
  ClusterPlacementGroup: found('cluster placement group', 'ClusterPlacementGroupResolveFailure'),
  ComputeCluster: found('compute cluster', 'ComputeClusterResolveFailure'),
  ValidationSucceeded: validation,
}
