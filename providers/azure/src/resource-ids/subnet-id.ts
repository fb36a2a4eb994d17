import type { AKSNodeClass } from '../node-class/aks-node-class.ts'

/** The parts of a subnet's resource ID. */
export interface SubnetId {
  readonly subscription: string
  readonly resourceGroup: string
  readonly virtualNetwork: string
  readonly subnet: string
}

const SUBNET =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/virtualNetworks\/([^/]+)\/subnets\/([^/]+)$/i

/** Parses a subnet's resource ID, case-insensitively. Undefined for anything else. */
export const parseSubnetId = (text: string): SubnetId | undefined => {
  const [, subscription, resourceGroup, virtualNetwork, subnet] = SUBNET.exec(text) ?? []
  if (subscription === undefined || resourceGroup === undefined) return undefined
  if (virtualNetwork === undefined || subnet === undefined) return undefined
  return { subscription, resourceGroup, virtualNetwork, subnet }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Returns true if two IDs refer to the same subnet. Azure names are case-insensitive. */
export const isSameSubnet = (a: SubnetId, b: SubnetId): boolean => isSameNetwork(a, b) && same(a.subnet, b.subnet)

/** Returns true if two subnets are in the same virtual network. */
export const isSameNetwork = (a: SubnetId, b: SubnetId): boolean =>
  same(a.subscription, b.subscription) &&
  same(a.resourceGroup, b.resourceGroup) &&
  same(a.virtualNetwork, b.virtualNetwork)

/**
 * Returns true if AKS created the virtual network. Users cannot add subnets to such a network
 * (`providers/azure/docs/spec/azure.md#nodeclass-controllers`).
 */
export const isManagedNetwork = (id: SubnetId, nodeResourceGroup: string): boolean =>
  /^aks-vnet-\d{8}$/i.test(id.virtualNetwork) &&
  same(id.subnet, 'aks-subnet') &&
  same(id.resourceGroup, nodeResourceGroup)

/** Returns the subnet of the node class's nodes: its own, or that of the settings. */
export const nodeClassSubnetId = (
  { spec }: Pick<AKSNodeClass, 'spec'>,
  { vnetSubnetID }: { readonly vnetSubnetID: string },
): string => spec?.vnetSubnetID ?? vnetSubnetID
