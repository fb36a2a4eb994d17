import { defineErrors, entry } from '@kerf/runtime'

/** Errors that every provider may throw. The log shows them with their code. */
export const providerErrors = defineErrors('providers', {
  ForeignProviderId: entry({
    when: 'The provider ID of a Node or NodeClaim does not belong to this provider.',
    text: (e: { providerID: string; provider: string }) =>
      `${JSON.stringify(e.providerID)} is not a provider ID of ${e.provider}`,
    next: 'delete the NodeClaim if no instance belongs to it',
    example: { providerID: 'other://zone-1/vm-1', provider: 'this cloud' },
  }),
  ForeignInstance: entry({
    when: 'The tags of an instance say that it belongs to another cluster or another NodeClaim.',
    text: (e: { instance: string; problem: string; remedy: string }) => `${e.instance} ${e.problem}`,
    next: (e) => `it is left alone until ${e.remedy}`,
    example: {
      instance: 'instance i-0123456789abcdef0',
      problem: 'is tagged as one of cluster staging, and this is production',
      remedy: 'the tag is put right',
    },
  }),
  IncompleteAnswer: entry({
    when: 'The cloud answered without the data that Kerf needs.',
    text: (e: { problem: string }) => e.problem,
    next: 'Kerf asks again; if the error stays, check the account, the region and the permissions',
    example: { problem: 'the Pricing API has no prices of us-east-1' },
  }),
  NodeClassMissing: entry({
    when: 'The node class that a NodePool names does not exist, or is of a kind that the provider does not serve.',
    text: (e: { pool: string; problem: string }) => `nodepool ${e.pool}: ${e.problem}`,
    next: 'create the node class, or correct spec.template.spec.nodeClassRef of the NodePool',
    example: { pool: 'general', problem: 'NodeClass default does not exist' },
  }),
  NodeClassUnusable: entry({
    when: 'The instance types of a node class cannot be computed, because something that they depend on is missing.',
    text: (e: { problem: string }) => e.problem,
    next: 'look at the conditions of the node class',
    example: { problem: 'NodeClass default has no zones yet' },
  }),
  KubernetesVersionUnknown: entry({
    when: 'The version of Kubernetes of the cluster is missing or cannot be parsed.',
    text: (e: { problem: string }) => e.problem,
    next: 'check with "kubectl version" what the API server answers',
    example: { problem: 'the API server does not tell the version of Kubernetes' },
  }),
  UnknownRegion: entry({
    when: 'The tables that come with Kerf do not contain the region.',
    text: (e: { problem: string }) => e.problem,
    next: 'choose another region, or give the instance types in a file',
    exitCode: 2,
    example: { problem: 'the types and zones of eu-west-9 do not come with Kerf' },
  }),
})
