import type { ProviderChecks } from '@kerf/provider-contract'

/** The checks of `kerf doctor` that are specific to Proxmox. */
export const doctorChecks: ProviderChecks = {
  requiredFields: { ProxmoxNodeClass: 'spec' },
  nodeAgents: ['proxmox-csi-plugin-node'],
  load: async () => (await import('./checks.ts')).checks,
}
