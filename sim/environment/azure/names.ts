import { GROUP, SUBSCRIPTION } from '@kerf/provider-azure/testing'

const PREFIX = 'aks-'

/** The NodeClaim that a VM, an interface or a disk is named after. Written out, so that the provider's own word is checked. */
export const claimNameOf = (resource: string): string =>
  resource.startsWith(PREFIX) ? resource.slice(PREFIX.length) : resource

/** As AKS's Nodes name a VM of the node resource group. */
export const providerIdOf = (vm: string): string =>
  `azure:///subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP.toLowerCase()}/providers/Microsoft.Compute/virtualMachines/${vm}`
