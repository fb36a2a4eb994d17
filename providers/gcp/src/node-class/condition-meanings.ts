import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of a GCENodeClass, for its reference page. */
export const gceNodeClassMeanings: ConditionMeanings = {
  ImagesReady: {
    isTrue: 'the terms select at least one image',
    otherwise:
      '`ImagesNotFound`: no term selects an image; `ImageResolutionFailed`: the message says which term selects nothing and why',
  },
  InstanceTypesReady: {
    isTrue:
      'Kerf knows the cluster, its zones and the instance types of the region; the reason `DisksUnsupported` means that all types of a NodePool cannot attach the disks of the class',
    otherwise: 'the message says which call Google Cloud refused and what to do, for example to check `PROJECT_ID`',
  },
  ValidationSucceeded: {
    isTrue: 'Compute Engine and the kubelet accept the values that the CRD does not check',
    otherwise:
      '`InvalidLabels`, `InvalidDisks`, `InvalidKubeletConfiguration`: the message names the field and says what to change',
  },
}
