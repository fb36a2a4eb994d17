import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'cluster-api',
    summary: 'export the instance types of a Cluster API management cluster to a file for plan, simulate and up',
    load: async (tools) => (await import('./verb.ts')).clusterApiVerb(tools),
  },
]
