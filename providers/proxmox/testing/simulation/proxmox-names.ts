import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

/** The hypervisors of the simulated Proxmox cluster. */
export const HYPERVISORS = ['pve-1', 'pve-2', 'pve-3'] as const

/** The region of the simulated Proxmox cluster. */
export const REGION = 'home'

export const proxmoxNames: CloudNames = {
  nodeClassRef: { group: 'karpenter.proxmox.sinextra.dev', kind: 'ProxmoxNodeClass', name: 'default' },
  zones: ['pve-1', 'pve-2'],
  types: ['s1.4VCPU-16GB', 'm1.8VCPU-64GB'],
}
