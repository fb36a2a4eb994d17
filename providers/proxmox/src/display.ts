import type { DisplayOnly } from '@kerf/provider-contract/dashboard'
import { classColumns, classHashReading, unhashedFields } from './node-class/class-columns.ts'

/**
 * The node classes of Proxmox. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'proxmox',
  title: 'Proxmox',
  dashboard: {
    kinds: [
      {
        group: 'karpenter.proxmox.sinextra.dev',
        kind: 'ProxmoxNodeClass',
        plural: 'proxmoxnodeclasses',
        versions: ['v1alpha1'],
        columns: classColumns,
        drift: { isHashed: true, selectors: [], unhashed: unhashedFields, ...classHashReading },
      },
    ],
  },
}
