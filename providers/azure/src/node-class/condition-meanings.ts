import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of an AKSNodeClass, for its reference page. */
export const aksNodeClassMeanings: ConditionMeanings = {
  ImagesReady: {
    isTrue: 'images were found',
    otherwise:
      '`ImagesNotFound`; `SIGRequiredForFIPS`: FIPS images are in the shared gallery only, and `--use-sig` is off; `KubernetesUpgrade`: the control plane has a new version, and images for it are looked up',
  },
  KubernetesVersionReady: {
    isTrue: 'the version of new nodes is known',
    otherwise: 'the API server did not report its version',
  },
  SubnetsReady: {
    isTrue: 'the subnet exists and may be used',
    otherwise:
      '`SubnetIDInvalid`: the message says why the subnet may not be used; `SubnetNotFound`; `SubnetUnknownError`: Azure did not return the subnet',
  },
  ValidationSucceeded: {
    isTrue: 'the disk encryption set may be used, or none is set',
    otherwise: '`DiskEncryptionSetRBACMissing`: Kerf is not authorized to read the disk encryption set',
  },
  LocalDNSReady: {
    isTrue: 'Kerf has determined whether new nodes have LocalDNS',
    otherwise: '`CheckingClusterRequirementsFailed`: the cluster could not be checked',
  },
}
