import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'azure',
    summary: 'print role assignments for the Azure CLI, Bicep or Terraform; check roles and your subscription',
    load: async (tools) => (await import('./verb.ts')).azureVerb(tools),
  },
]
