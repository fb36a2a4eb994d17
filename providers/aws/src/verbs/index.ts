import type { ProviderVerb } from '@kerf/provider-contract'

/** The verbs of this provider. */
export const verbs: readonly ProviderVerb[] = [
  {
    name: 'aws',
    summary:
      'print IAM policies, CloudFormation, eksctl or Terraform for AWS, prices and instance types; test your account',
    load: async (tools) => (await import('./verb.ts')).awsVerb(tools),
  },
]
