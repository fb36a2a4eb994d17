import { parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { BuiltInRole } from './built-in-roles.ts'
import type { AzureCapability, UsedCapabilities } from './needed-actions.ts'

/** The scopes of an installation, and the capabilities that it uses. */
export interface RoleTarget extends UsedCapabilities {
  readonly subscription: string
  /** The resource group of the AKS cluster. */
  readonly resourceGroup: string
  /** The resource group that AKS created for the nodes. */
  readonly nodeResourceGroup: string
  /** The nodes' subnets that are in a virtual network of the user. */
  readonly subnetIds: readonly string[]
  /** The ID of the disk encryption set. Empty without one. */
  readonly encryptionSetId: string
  /** The subscription of the shared galleries. */
  readonly sigSubscription: string
}

/** The assignment of a role to the controller's identity on a scope. */
export interface RoleAssignment {
  readonly role: BuiltInRole
  /** A resource ID. */
  readonly scope: string
  readonly capabilities: readonly AzureCapability[]
}

const groupId = (subscription: string, name: string): string => `/subscriptions/${subscription}/resourceGroups/${name}`

const GALLERIES = [
  ['AKS-Ubuntu', 'AKSUbuntu'],
  ['AKS-AzureLinux', 'AKSAzureLinux'],
] as const

const isIn = (subnetId: string, group: string): boolean =>
  parseSubnetId(subnetId)?.resourceGroup.toLowerCase() === group.toLowerCase()

/**
 * Returns the roles that the controller's identity needs (`providers/azure/docs/spec/azure.md#role-assignments`). For a subnet,
 * upstream's guide assigns the role on the whole resource group. This function assigns it only on the subnet.
 */
export const roleAssignments = (target: RoleTarget): readonly RoleAssignment[] => {
  const { subscription, nodeResourceGroup, subnetIds, encryptionSetId, sigSubscription } = target
  const nodes = groupId(subscription, nodeResourceGroup)
  const elsewhere = [...new Set(subnetIds)].filter((id) => !isIn(id, nodeResourceGroup))
  const isOnNodes = elsewhere.length < subnetIds.length || subnetIds.length === 0
  const ofNodes: readonly RoleAssignment[] = target.isMachineMode
    ? [
        { role: 'aksContributor', scope: groupId(subscription, target.resourceGroup), capabilities: ['machines'] },
        { role: 'virtualMachineContributor', scope: nodes, capabilities: ['discovery'] },
        ...(isOnNodes ? [{ role: 'networkContributor', scope: nodes, capabilities: ['network'] } as const] : []),
      ]
    : [
        { role: 'virtualMachineContributor', scope: nodes, capabilities: ['launch', 'discovery'] },
        { role: 'networkContributor', scope: nodes, capabilities: ['launch', 'network'] },
        ...(target.hasIdentities
          ? [{ role: 'managedIdentityOperator', scope: nodes, capabilities: ['identities'] } as const]
          : []),
      ]
  return [
    ...ofNodes,
    ...elsewhere.map((scope) => ({ role: 'networkContributor', scope, capabilities: ['network'] }) as const),
    ...(encryptionSetId === ''
      ? []
      : [{ role: 'reader', scope: encryptionSetId, capabilities: ['encryption'] } as const]),
    ...(target.useSIG
      ? GALLERIES.map(
          ([group, gallery]) =>
            ({
              role: 'reader',
              scope: `${groupId(sigSubscription, group)}/providers/Microsoft.Compute/galleries/${gallery}`,
              capabilities: ['sharedGalleries'],
            }) as const,
        )
      : []),
  ]
}
