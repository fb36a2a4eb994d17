import type { AzureSettings } from '../settings/azure-settings.ts'

/** The AKS pool that contains the cluster's machines, and the location of their VMs. */
export interface MachineScope {
  /** The name of the AKS pool. */
  readonly pool: string
  /** The resource ID of the AKS pool. */
  readonly poolId: string
  /** The part of VM resource IDs before the name. */
  readonly vmPrefix: string
  readonly clusterName: string
  readonly location: string
}

/** Returns the scope of the machines in the settings, or undefined if Kerf creates only VMs. */
export const findMachineScope = (settings: AzureSettings): MachineScope | undefined => {
  if (settings.provisionMode !== 'aksmachineapi' && !settings.manageExistingAKSMachines) return undefined
  const { aksMachinesPoolName: pool, clusterName, azureLocation: location } = settings
  const subscription = `/subscriptions/${settings.azureSubscriptionID}/resourceGroups`
  return {
    ...{ pool, clusterName, location },
    poolId: `${subscription}/${settings.azureResourceGroup}/providers/Microsoft.ContainerService/managedClusters/${clusterName}/agentPools/${pool}`,
    vmPrefix: `${subscription}/${settings.azureNodeResourceGroup}/providers/Microsoft.Compute/virtualMachines`,
  }
}

/**
 * Returns the machine name of a VM that AKS created, `aks-POOL-MACHINE-NUMBER-vm`, or undefined for any other VM. VMs that Kerf
 * creates also begin with `aks-`, but have the suffix of a NodeClaim name.
 */
export const parseMachineName = (pool: string, vmName: string): string | undefined => {
  const prefix = `aks-${pool}-`.toLowerCase()
  const name = vmName.toLowerCase()
  if (!name.startsWith(prefix)) return undefined
  return /^(.+)-[^-]+-vm$/.exec(name.slice(prefix.length))?.[1]
}

/** Returns a placeholder for the VM name of a machine without a VM, because only AKS knows the number. */
export const makeVmName = (pool: string, machine: string): string => `aks-${pool}-${machine}-00000000-vm`
