import type { ProviderChecks } from '@kerf/provider-contract'

/** The checks of `kerf doctor` that are specific to Bizfly Cloud. */
export const doctorChecks: ProviderChecks = {
  requiredFields: { BizflyCloudNodeClass: 'spec' },
  load: async () => (await import('./checks.ts')).checks,
}
