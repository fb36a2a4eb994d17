/**
 * The built-in Azure roles that an installation uses: their IDs, which are equal in every tenant, and those of their permissions that are
 * relevant to Kerf (https://learn.microsoft.com/azure/role-based-access-control/built-in-roles).
 */
export const builtInRoles = {
  virtualMachineContributor: {
    name: 'Virtual Machine Contributor',
    id: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
    actions: [
      'Microsoft.Compute/locations/*',
      'Microsoft.Compute/virtualMachines/*',
      'Microsoft.Compute/disks/write',
      'Microsoft.Compute/disks/read',
      'Microsoft.Compute/disks/delete',
      'Microsoft.Network/loadBalancers/backendAddressPools/join/action',
      'Microsoft.Network/loadBalancers/read',
      'Microsoft.Network/networkInterfaces/*',
      'Microsoft.Network/networkSecurityGroups/join/action',
      'Microsoft.Network/networkSecurityGroups/read',
      'Microsoft.Network/virtualNetworks/read',
      'Microsoft.Network/virtualNetworks/subnets/join/action',
    ],
  },
  networkContributor: {
    name: 'Network Contributor',
    id: '4d97b98b-1d4f-4787-a291-c67834d212e7',
    actions: ['Microsoft.Network/*'],
  },
  managedIdentityOperator: {
    name: 'Managed Identity Operator',
    id: 'f1a07417-d97a-45cb-824c-7a7467783830',
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
    ],
  },
  aksContributor: {
    name: 'Azure Kubernetes Service Contributor Role',
    id: 'ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8',
    actions: ['Microsoft.ContainerService/locations/*', 'Microsoft.ContainerService/managedClusters/*'],
  },
  reader: { name: 'Reader', id: 'acdd72a7-3385-48ef-bd42-f606fba81ae7', actions: ['*/read'] },
  acrPull: {
    name: 'AcrPull',
    id: '7f951dda-4ed3-4680-a7ca-43fe172d538d',
    actions: ['Microsoft.ContainerRegistry/registries/pull/read'],
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly id: string; readonly actions: readonly string[] }>
>

export type BuiltInRole = keyof typeof builtInRoles
