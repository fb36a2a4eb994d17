import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'azure',
    summary:
      'role assignments for Azure, printed for the Azure CLI, Bicep or Terraform, and what roles lack; a check of your subscription',
    load: async (tools) => (await import('./verb.ts')).azureVerb(tools),
  },
]
