import type { PermissionStatement } from '@kerf/provider-kit'

/** Kerf's capabilities in a subscription. If the permissions for one capability are missing, only this capability fails. */
export const azureCapabilities = {
  launch: 'create, tag and delete VMs with their network interfaces and disks',
  network: 'read and join the subnet of the nodes',
  identities: 'give nodes their managed identities',
  discovery: 'read images and quotas',
  encryption: 'use the disk encryption set of OS disks',
  sharedGalleries: 'use images of the shared galleries of AKS',
  machines: 'create, change and delete machines of an AKS pool',
} as const
export type AzureCapability = keyof typeof azureCapabilities

/** The capabilities that an installation uses, according to its settings. */
export interface UsedCapabilities {
  readonly hasIdentities: boolean
  readonly hasEncryptionSet: boolean
  readonly useSIG: boolean
  readonly isMachineMode: boolean
}

type Statement = PermissionStatement<AzureCapability, never>

const statement = (capability: AzureCapability, actions: readonly string[]): Statement => ({
  ...{ capability, name: capability, actions, resources: [] },
})

const statements = {
  launch: statement('launch', [
    'Microsoft.Compute/virtualMachines/read',
    'Microsoft.Compute/virtualMachines/write',
    'Microsoft.Compute/virtualMachines/delete',
    'Microsoft.Compute/virtualMachines/extensions/read',
    'Microsoft.Compute/virtualMachines/extensions/write',
    'Microsoft.Compute/disks/read',
    'Microsoft.Compute/disks/write',
    'Microsoft.Compute/disks/delete',
    'Microsoft.Network/networkInterfaces/read',
    'Microsoft.Network/networkInterfaces/write',
    'Microsoft.Network/networkInterfaces/delete',
    'Microsoft.Network/networkInterfaces/join/action',
    'Microsoft.Network/loadBalancers/read',
    'Microsoft.Network/loadBalancers/backendAddressPools/join/action',
    'Microsoft.Network/networkSecurityGroups/read',
    'Microsoft.Network/networkSecurityGroups/join/action',
  ]),
  network: statement('network', [
    'Microsoft.Network/virtualNetworks/read',
    'Microsoft.Network/virtualNetworks/subnets/read',
    'Microsoft.Network/virtualNetworks/subnets/join/action',
  ]),
  identities: statement('identities', ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action']),
  discovery: statement('discovery', [
    'Microsoft.Compute/locations/usages/read',
    'Microsoft.Compute/locations/communityGalleries/images/versions/read',
  ]),
  encryption: statement('encryption', ['Microsoft.Compute/diskEncryptionSets/read']),
  sharedGalleries: statement('sharedGalleries', [
    'Microsoft.Compute/galleries/images/versions/read',
    'Microsoft.ContainerService/locations/nodeImageVersions/read',
  ]),
  machines: statement('machines', [
    'Microsoft.ContainerService/managedClusters/agentPools/read',
    'Microsoft.ContainerService/managedClusters/agentPools/machines/read',
    'Microsoft.ContainerService/managedClusters/agentPools/machines/write',
    'Microsoft.ContainerService/managedClusters/agentPools/deleteMachines/action',
  ]),
} as const satisfies Readonly<Record<AzureCapability, Statement>>

/** Returns the statements about the actions that the controller performs with these settings. */
export const neededActions = ({
  hasIdentities,
  hasEncryptionSet,
  useSIG,
  isMachineMode,
}: UsedCapabilities): readonly Statement[] => [
  ...(isMachineMode ? [statements.machines] : [statements.launch]),
  statements.network,
  ...(hasIdentities && !isMachineMode ? [statements.identities] : []),
  statements.discovery,
  ...(hasEncryptionSet ? [statements.encryption] : []),
  ...(useSIG ? [statements.sharedGalleries] : []),
]
