import type { ProviderChecks } from '@kerf/provider-contract'

/** The checks of `kerf doctor` that are specific to Oracle Cloud. */
export const doctorChecks: ProviderChecks = {
  requiredFields: { OciNodeClass: 'spec', OCINodeClass: 'spec' },
  load: async () => (await import('./checks.ts')).checks,
}
