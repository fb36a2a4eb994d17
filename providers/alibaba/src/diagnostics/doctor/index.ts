import type { ProviderChecks } from '@kerf/provider-contract'

/** The checks of `kerf doctor` that are specific to Alibaba Cloud. */
export const doctorChecks: ProviderChecks = {
  nodeAgents: ['terway-eniip', 'terway-eni', 'kube-flannel-ds', 'csi-plugin'],
  requiredFields: { ECSNodeClass: 'spec' },
  load: async () => (await import('./checks.ts')).checks,
}
