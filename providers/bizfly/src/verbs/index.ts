import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'bizfly',
    summary: 'check that a Bizfly Cloud account and its cluster have what Kerf needs',
    load: async (tools) => (await import('./verb.ts')).bizflyVerb(tools),
  },
]
