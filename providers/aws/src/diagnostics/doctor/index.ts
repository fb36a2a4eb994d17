import type { ProviderChecks } from '@kerf/provider-contract'
import { accountDocuments } from './account-documents.ts'

/** The checks of `kerf doctor` that know AWS. */
export const doctorChecks: ProviderChecks = {
  documents: accountDocuments,
  requiredFields: { EC2NodeClass: 'spec' },
  load: async () => (await import('./checks.ts')).checks,
}
