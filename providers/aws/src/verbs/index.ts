import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'aws',
    summary:
      'permissions, roles, queue and clusters for AWS, printed as IAM policy, CloudFormation, eksctl or Terraform; prices, instance types; a test of your account',
    load: async (tools) => (await import('./verb.ts')).awsVerb(tools),
  },
]
