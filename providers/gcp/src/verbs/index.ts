import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'gcp',
    summary: 'print the role of the controller for gcloud or Terraform; check a role and your project',
    load: async (tools) => (await import('./verb.ts')).gcpVerb(tools),
  },
]
