import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of an AKSNodeClass, for its reference page. */
export const aksNodeClassMeanings: ConditionMeanings = {
  ImagesReady: {
    isTrue: 'images were found',
    otherwise:
      '`ImagesNotFound`; `SIGRequiredForFIPS`: FIPS images are in the shared gallery only, and `--use-sig` is off; `KubernetesUpgrade`: the control plane has a new version, images follow',
  },
  KubernetesVersionReady: {
    isTrue: 'the version of new nodes is known',
    otherwise: 'the API server did not say its version',
  },
  SubnetsReady: {
    isTrue: 'the subnet exists and may be used',
    otherwise:
      '`SubnetIDInvalid`: the message says why the subnet may not be used; `SubnetNotFound`; `SubnetUnknownError`: Azure refused to tell',
  },
  ValidationSucceeded: {
    isTrue: 'the disk encryption set may be used, or none is set',
    otherwise: '`DiskEncryptionSetRBACMissing`: Kerf may not read the disk encryption set',
  },
  LocalDNSReady: {
    isTrue: 'it is decided whether new nodes have LocalDNS',
    otherwise: '`CheckingClusterRequirementsFailed`: the cluster could not be looked at',
  },
}
