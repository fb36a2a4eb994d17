import { groupVersion } from '@kerf/apis'
import type { NodeClassDescriptor } from '@kerf/provider-contract'
import { communityColumns, communitySelectors } from './class-columns.ts'
import { type CommunityNodeClass, communityNodeClassKind, communityNodeClassResource } from './community-node-class.ts'
import { communityConditions, communityMeanings } from './conditions.ts'

/**
 * The description of OciNodeClass that the rest of Kerf uses. It contains no hash, because Kerf writes the hash of this kind but never
 * compares it (`providers/oci/docs/spec/oci.md#hashes`).
 */
export const communityNodeClassDescriptor: NodeClassDescriptor<CommunityNodeClass> = {
  resource: communityNodeClassResource,
  conditions: communityConditions,
  conditionMeanings: communityMeanings,
  selectors: communitySelectors,
  columns: communityColumns,
  example: {
    apiVersion: groupVersion(communityNodeClassKind),
    kind: 'OciNodeClass',
    metadata: { name: 'default' },
    spec: {
      vcnId: 'ocid1.vcn.oc1.phx.aaaaexample',
      imageFamily: 'OracleOKELinux',
      imageSelector: [{ name: 'Oracle-Linux-8.10-2025.09.16-0-OKE-1.34.1-1191' }],
      subnetSelector: [{ name: 'workers' }],
      securityGroupSelector: [{ name: 'workers' }],
      bootConfig: { bootVolumeSizeInGBs: 100, bootVolumeVpusPerGB: 10 },
    },
  },
}
