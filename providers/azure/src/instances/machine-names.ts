import type { AzureSettings } from '../settings/azure-settings.ts'

/** Where the machines of the cluster are. */
export interface MachineScope {
  /** The name of the AKS pool. */
  readonly pool: string
  /** Its resource ID. */
  readonly poolId: string
  /** What is before the names of VMs in their resource IDs. */
  readonly vmPrefix: string
  readonly clusterName: string
  readonly location: string
}

/** The machines that the settings are about; undefined where Kerf makes VMs alone. */
export const machineScopeOf = (settings: AzureSettings): MachineScope | undefined => {
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
 * The machine of a VM that AKS made, `aks-POOL-MACHINE-NUMBER-vm`; undefined for any other VM. Also a VM that Kerf made is called
 * `aks-…`, but for a NodeClaim, whose name ends otherwise.
 */
export const machineNameOf = (pool: string, vmName: string): string | undefined => {
  const prefix = `aks-${pool}-`.toLowerCase()
  const name = vmName.toLowerCase()
  if (!name.startsWith(prefix)) return undefined
  return /^(.+)-[^-]+-vm$/.exec(name.slice(prefix.length))?.[1]
}

/** Stands for the VM of a machine that has none: AKS gives the number, and nobody knows it before. */
export const unnamedVmOf = (pool: string, machine: string): string => `aks-${pool}-${machine}-00000000-vm`
