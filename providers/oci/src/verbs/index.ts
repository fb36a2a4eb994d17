import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'oci',
    summary: 'print the IAM policies that Kerf needs in Oracle Cloud',
    load: async (tools) => (await import('./verb.ts')).ociVerb(tools),
  },
]
