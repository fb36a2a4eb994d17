import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, type Permission } from '@kerf/runtime'
import { proxmoxNodeClassKind } from './node-class/proxmox-node-class.ts'
import { proxmoxTemplateKind } from './node-class/proxmox-template.ts'
import { unmanagedTemplateKind } from './node-class/unmanaged-template.ts'

/** The permissions on the API server that the provider needs. */
export const proxmoxPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], proxmoxNodeClassKind, 'reading the launch configuration of instances'),
  may(['patch'], proxmoxNodeClassKind, 'the finalizer and the hash used to detect drift'),
  may(['patch'], proxmoxNodeClassKind, 'the zones that were found, and the conditions', { subresource: 'status' }),
  mirrors(unmanagedTemplateKind, 'which templates node classes refer to'),
  may(['patch'], unmanagedTemplateKind, 'where the templates were found', { subresource: 'status' }),
  mirrors(proxmoxTemplateKind, 'which templates Kerf makes in Proxmox'),
  may(['patch'], proxmoxTemplateKind, 'the finalizer, and the hashes of the templates'),
  may(['patch'], proxmoxTemplateKind, 'the templates that were made, and the conditions', { subresource: 'status' }),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of instances'),
  may(['get', 'patch'], karpenterKinds.NodeClaim, 'which in-place fields an instance has'),
  mirrors(kinds.Node, 'which IDs of instances Nodes still use'),
]
