import { defineErrors, entry } from '@kerf/runtime'

/** Errors of the Azure provider. */
export const azureErrors = defineErrors('azure', {
  SecurityGroups: entry({
    when: 'The node resource group has no security group of AKS, or more than one.',
    text: (e: { found: number }) =>
      `there are ${e.found} security groups of the form aks-agentpool-12345678-nsg in the node resource group`,
    next: 'keep exactly one, because nodes in your own virtual network need it',
    example: { found: 2 },
  }),
})
