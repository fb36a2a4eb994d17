import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { proxmoxNodeClassResource } from '../src/node-class/proxmox-node-class.ts'

/** A typical node class. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Proxmox',
    plural: 'proxmoxnodeclasses',
    schema: resourceSchema(proxmoxNodeClassResource),
    example: readyClass(
      'karpenter.proxmox.sinextra.dev/v1alpha1',
      'ProxmoxNodeClass',
      {
        region: 'fsn',
        instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'talos' },
        placementStrategy: { zoneBalance: 'Balanced' },
        bootDevice: { size: '30G', storage: 'local-lvm' },
        resourcePool: 'kubernetes',
      },
      { resources: { zones: '2' }, selectedZones: ['fsn/pve-1/9000'] },
    ),
    shown: ['talos', 'fsn', '2', 'kubernetes'],
    mistake: [
      'zoneBalance: Balanced',
      'zoneBalance: Even',
      'spec.placementStrategy.zoneBalance: Unsupported value: "Even"',
    ],
  },
]
