import { defineErrors, entry } from '@kerf/runtime'

/** Errors that any provider may throw. The log shows them with their codes. */
export const providerErrors = defineErrors('providers', {
  ForeignProviderId: entry({
    when: 'The provider ID of a Node or NodeClaim does not belong to this provider.',
    text: (e: { providerID: string; provider: string }) =>
      `${JSON.stringify(e.providerID)} is not a provider ID of ${e.provider}`,
    next: 'delete the NodeClaim if no instance belongs to it',
    example: { providerID: 'other://zone-1/vm-1', provider: 'this cloud' },
  }),
  ForeignInstance: entry({
    when: 'By its tags, an instance belongs to another cluster or another NodeClaim.',
    text: (e: { instance: string; problem: string; remedy: string }) => `${e.instance} ${e.problem}`,
    next: (e) => `Kerf ignores it until ${e.remedy}`,
    example: {
      instance: 'instance i-0123456789abcdef0',
      problem: 'has the tag of cluster staging, but this is production',
      remedy: 'the tag is corrected',
    },
  }),
  IncompleteAnswer: entry({
    when: 'A response of the cloud lacks data that Kerf needs.',
    text: (e: { problem: string }) => e.problem,
    next: 'Kerf retries; if the error remains, check the account, the region and the permissions',
    example: { problem: 'the Pricing API has no prices for us-east-1' },
  }),
  NodeClassMissing: entry({
    when: 'The node class of a NodePool does not exist, or the provider does not serve its kind.',
    text: (e: { pool: string; problem: string }) => `nodepool ${e.pool}: ${e.problem}`,
    next: 'create the node class, or correct spec.template.spec.nodeClassRef of the NodePool',
    example: { pool: 'general', problem: 'NodeClass default does not exist' },
  }),
  NodeClassUnusable: entry({
    when: 'The instance types of a node class cannot be computed, because something that they depend on is missing.',
    text: (e: { problem: string }) => e.problem,
    next: 'check the conditions of the node class',
    example: { problem: 'NodeClass default has no zones yet' },
  }),
  KubernetesVersionUnknown: entry({
    when: 'The Kubernetes version of the cluster is missing or cannot be parsed.',
    text: (e: { problem: string }) => e.problem,
    next: 'check the response of the API server with "kubectl version"',
    example: { problem: 'the API server did not return the Kubernetes version' },
  }),
  UnknownRegion: entry({
    when: 'The built-in tables of Kerf do not include the region.',
    text: (e: { problem: string }) => e.problem,
    next: 'choose another region, or provide the instance types in a file',
    exitCode: 2,
    example: { problem: 'Kerf does not include the types and zones of eu-west-9' },
  }),
})
