import { groupVersion } from '@kerf/apis'
import type { NodeClassDescriptor } from '@kerf/provider-contract'
import { classColumns, classHashReading, unhashedFields } from './class-columns.ts'
import { proxmoxNodeClassConditions, proxmoxNodeClassMeanings } from './conditions.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './hash.ts'
import { type ProxmoxNodeClass, proxmoxNodeClassKind, proxmoxNodeClassResource } from './proxmox-node-class.ts'

/** The description of ProxmoxNodeClass that the rest of Kerf uses. */
export const proxmoxNodeClassDescriptor: NodeClassDescriptor<ProxmoxNodeClass> = {
  resource: proxmoxNodeClassResource,
  conditions: proxmoxNodeClassConditions,
  conditionMeanings: proxmoxNodeClassMeanings,
  hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
  selectors: [],
  unhashed: unhashedFields,
  hashReading: classHashReading,
  columns: classColumns,
  example: {
    apiVersion: groupVersion(proxmoxNodeClassKind),
    kind: 'ProxmoxNodeClass',
    metadata: { name: 'default' },
    spec: { instanceTemplateRef: { kind: 'ProxmoxUnmanagedTemplate', name: 'default' }, bootDevice: { size: '40Gi' } },
  },
}
