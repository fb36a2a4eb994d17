import type { ProviderChecks } from '@kerf/provider-contract'
import { accountDocuments } from './account-documents.ts'

/** The checks of `kerf doctor` that are specific to AWS. */
export const doctorChecks: ProviderChecks = {
  documents: accountDocuments,
  nodeAgents: ['aws-node'],
  serverless: {
    name: 'Fargate',
    runs: ({ metadata, spec }) =>
      metadata.labels?.['eks.amazonaws.com/fargate-profile'] !== undefined ||
      spec.schedulerName === 'fargate-scheduler',
  },
  requiredFields: { EC2NodeClass: 'spec' },
  load: async () => (await import('./checks.ts')).checks,
}
