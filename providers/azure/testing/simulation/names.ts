import { GROUP, SUBSCRIPTION } from '@kerf/provider-azure/testing'

const PREFIX = 'aks-'

/** Returns the NodeClaim in the name of a VM, an interface or a disk. It does not use the provider's code, because it checks that code. */
export const claimNameFromVm = (resource: string): string =>
  resource.startsWith(PREFIX) ? resource.slice(PREFIX.length) : resource

/** Returns the provider ID that AKS gives the Node of a VM in the node resource group. */
export const makeProviderId = (vm: string): string =>
  `azure:///subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP.toLowerCase()}/providers/Microsoft.Compute/virtualMachines/${vm}`
