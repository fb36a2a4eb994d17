import type { Condition } from '@kerf/apis'
import type { CommunityNodeClass } from '../node-class/community-node-class.ts'
import type { OracleNodeClass } from '../node-class/oracle-node-class.ts'
import { ARM_IMAGE, IMAGE, SECURITY_GROUP, SUBNET } from './fake-oci/names.ts'

const conditions: readonly Condition[] = [
  {
    ...{ type: 'Ready', status: 'True', reason: 'Ready', message: '' },
    ...{ lastTransitionTime: '2026-11-30T00:00:00Z', observedGeneration: 1 },
  },
]

const onArchitecture = (value: string) => [{ key: 'kubernetes.io/arch', operator: 'In', values: [value] }]

/** The status of an OciNodeClass that finds what the fake tenancy has. */
export const communityStatusSample: CommunityNodeClass['status'] = {
  images: [
    { id: IMAGE, name: 'x86', requirements: onArchitecture('amd64') },
    { id: ARM_IMAGE, name: 'arm', requirements: onArchitecture('arm64') },
  ],
  subnets: [{ id: SUBNET, name: 'nodes' }],
  securityGroups: [{ id: SECURITY_GROUP, name: 'nodes' }],
  conditions: conditions,
}

/** The status of an OCINodeClass that finds what the fake tenancy has. */
export const oracleStatusSample: OracleNodeClass['status'] = {
  volume: { images: [{ imageId: IMAGE }, { imageId: ARM_IMAGE }] },
  network: {
    primaryVnic: {
      subnet: { subnetId: SUBNET },
      networkSecurityGroups: [{ networkSecurityGroupId: SECURITY_GROUP }],
    },
  },
  conditions: conditions,
}
