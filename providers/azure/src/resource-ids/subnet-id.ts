import type { AKSNodeClass } from '@kerf/apis'

/** A subnet by the parts of its resource ID. */
export interface SubnetId {
  readonly subscription: string
  readonly resourceGroup: string
  readonly virtualNetwork: string
  readonly subnet: string
}

const SUBNET =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/virtualNetworks\/([^/]+)\/subnets\/([^/]+)$/i

/** The parts of a subnet's resource ID, whose words Azure writes in any case; undefined for anything else. */
export const parseSubnetId = (text: string): SubnetId | undefined => {
  const [, subscription, resourceGroup, virtualNetwork, subnet] = SUBNET.exec(text) ?? []
  if (subscription === undefined || resourceGroup === undefined) return undefined
  if (virtualNetwork === undefined || subnet === undefined) return undefined
  return { subscription, resourceGroup, virtualNetwork, subnet }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether two IDs are of one subnet. Names in Azure have no case. */
export const isSameSubnet = (a: SubnetId, b: SubnetId): boolean => isSameNetwork(a, b) && same(a.subnet, b.subnet)

/** Whether two subnets are of one virtual network. */
export const isSameNetwork = (a: SubnetId, b: SubnetId): boolean =>
  same(a.subscription, b.subscription) &&
  same(a.resourceGroup, b.resourceGroup) &&
  same(a.virtualNetwork, b.virtualNetwork)

/** Whether AKS made the virtual network, and nobody may add subnets to it (`docs/spec/azure.md#nodeclass-controllers`). */
export const isManagedNetwork = (id: SubnetId, nodeResourceGroup: string): boolean =>
  /^aks-vnet-\d{8}$/i.test(id.virtualNetwork) &&
  same(id.subnet, 'aks-subnet') &&
  same(id.resourceGroup, nodeResourceGroup)

/** The subnet of the class's nodes: its own, or the one of the settings. */
export const subnetIdOf = (
  { spec }: Pick<AKSNodeClass, 'spec'>,
  { vnetSubnetID }: { readonly vnetSubnetID: string },
): string => spec?.vnetSubnetID ?? vnetSubnetID
