import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'proxmox',
    summary: 'print the roles and the API token of the controller; check a token and the Proxmox clusters',
    load: async (tools) => (await import('./verb.ts')).proxmoxVerb(tools),
  },
]
