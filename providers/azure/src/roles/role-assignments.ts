import { parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { BuiltInRole } from './built-in-roles.ts'
import type { AzureCapability, UsedCapabilities } from './needed-actions.ts'

/** Where an installation is, and what it uses. */
export interface RoleTarget extends UsedCapabilities {
  readonly subscription: string
  /** Of the AKS cluster. */
  readonly resourceGroup: string
  /** Which AKS made for the nodes. */
  readonly nodeResourceGroup: string
  /** Subnets of the nodes that are in a virtual network of the user's. */
  readonly subnetIds: readonly string[]
  /** Of the disk encryption set; empty without one. */
  readonly encryptionSetId: string
  /** Of the shared galleries. */
  readonly sigSubscription: string
}

/** A role that the controller's identity gets on a scope. */
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
 * The roles that the identity of the controller needs (`docs/spec/azure.md#role-assignments`). Where upstream's guide gives a
 * role on a whole resource group for a subnet, this gives it on the subnet alone.
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
