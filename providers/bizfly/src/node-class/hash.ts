import { hashText } from '@kerf/apis'
import type { NodeClassHash } from '@kerf/provider-contract'
import type { BizflyCloudNodeClass } from './bizfly-node-class.ts'

/** The default size of the root disk in GB. */
export const DEFAULT_DISK_SIZE = 40

/** The hash of the fields that are the same for every server of a class (`providers/bizfly/docs/spec/bizfly.md#drift`). */
export const bizflyNodeClassHash: NodeClassHash<BizflyCloudNodeClass> = {
  version: 'v1',
  of: ({ spec }) => {
    const { sshKeyName = '', rootDiskSize = DEFAULT_DISK_SIZE } = spec ?? {}
    const { vpcNetworkIds = [], tags = [], securityGroups = [] } = spec ?? {}
    return hashText(JSON.stringify([sshKeyName, rootDiskSize, vpcNetworkIds, tags, securityGroups])).toString()
  },
}
