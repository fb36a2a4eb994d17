import type { ProviderChecks } from '@kerf/provider-contract'

/** The checks of `kerf doctor` that are specific to Azure. */
export const doctorChecks: ProviderChecks = {
  nodeAgents: ['azure-cns'],
  load: async () => [],
}
