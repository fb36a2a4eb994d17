import type { ConditionMeanings } from '@kerf/apis'

/** The meaning of each condition of an ECSNodeClass, for its reference page. */
export const ecsNodeClassMeanings: ConditionMeanings = {
  VSwitchesReady: {
    isTrue: 'the terms select at least one vSwitch',
    otherwise:
      '`vSwitchesNotFound`: no vSwitch matches; the message names each term that selects nothing. Unknown: Alibaba Cloud did not answer',
  },
  SecurityGroupsReady: {
    isTrue: 'the terms select at least one security group',
    otherwise:
      '`SecurityGroupsNotFound`: no security group matches; the message names each term that selects nothing. Unknown: Alibaba Cloud did not answer',
  },
  ImagesReady: {
    isTrue: 'the terms select at least one image',
    otherwise:
      '`ImagesNotFound`: no image matches, or the cluster is not managed by ACK and a term has an alias. Unknown: Alibaba Cloud did not answer',
  },
  InstanceTypesReady: {
    isTrue: 'Kerf knows the ACK cluster, and the instance types of the region with their stock',
    otherwise:
      '`ClusterNotFound`: ACK does not know the cluster; check `CLUSTER_ID`. Unknown: Alibaba Cloud refused a call or did not answer',
  },
  ValidationSucceeded: {
    isTrue: 'instances can be launched with the fields of the class',
    otherwise: '`NodeClassInvalid`: the message names each field that cannot be used, and what to write instead',
  },
}
