import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'oci',
    summary: 'print the IAM policies of the controller and the nodes; check policy statements and your tenancy',
    load: async (tools) => (await import('./verb.ts')).ociVerb(tools),
  },
]
