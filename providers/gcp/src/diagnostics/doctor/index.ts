import type { ProviderChecks } from '@kerf/provider-contract'

/** The checks of `kerf doctor` that are specific to Google Cloud. */
export const doctorChecks: ProviderChecks = {
  nodeAgents: ['anetd', 'netd', 'pdcsi-node', 'gke-metadata-server', 'ip-masq-agent'],
  load: async () => (await import('./checks.ts')).checks,
}
