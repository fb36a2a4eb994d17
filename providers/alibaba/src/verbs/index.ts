import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'alibaba',
    summary:
      'print the RAM role of the controller for the Alibaba Cloud CLI or Terraform; check a policy and your account',
    load: async (tools) => (await import('./verb.ts')).alibabaVerb(tools),
  },
]
