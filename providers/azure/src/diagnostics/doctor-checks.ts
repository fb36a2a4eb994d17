import type { ProviderChecks } from '@kerf/provider-contract'

/** What `kerf doctor` knows of Azure. */
export const doctorChecks: ProviderChecks = {
  nodeAgents: ['azure-cns'],
  load: async () => [],
}
