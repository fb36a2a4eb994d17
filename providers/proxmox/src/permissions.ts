import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission, type SettingSwitch } from '@kerf/runtime'
import { ROOT_CA, secretKind, TOKEN_NAMESPACE } from './cloud-init/cluster-objects.ts'
import { proxmoxNodeClassKind } from './node-class/proxmox-node-class.ts'
import { proxmoxTemplateKind } from './node-class/proxmox-template.ts'
import { unmanagedTemplateKind } from './node-class/unmanaged-template.ts'

/** The setting that allows cloud-init disks. */
export const cloudInitSwitch: SettingSwitch = { env: 'PROXMOX_CLOUD_INIT', default: false }

const cloudInit = { when: cloudInitSwitch }

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
  may(
    ['get', 'create', 'patch', 'delete'],
    secretKind,
    'bootstrap tokens of guests, and templates of cloud-init disks',
    {
      ...{ ...cloudInit, namespace: TOKEN_NAMESPACE },
    },
  ),
  may(['get'], secretKind, 'templates of cloud-init disks', { ...cloudInit, namespace: OWN_NAMESPACE }),
  may(['get'], kinds.ConfigMap, 'the authority of the API server, for guests that join', {
    ...{ ...cloudInit, namespace: TOKEN_NAMESPACE, names: [ROOT_CA] },
  }),
  mirrors(kinds.Node, 'which IDs of instances Nodes still use'),
]
