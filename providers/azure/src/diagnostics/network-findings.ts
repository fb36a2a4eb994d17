import type { NetworkApi } from '../api/azure-api.ts'
import type { Subnet } from '../api/network-shapes.ts'
import { azureErrors } from '../azure-errors.ts'
import { managedSecurityGroup } from '../discovery/security-group.ts'
import { isManagedNetwork, parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { failed, passed, refused, type SubscriptionFinding, warned } from './finding.ts'

type OwnSettings = Pick<
  AzureSettings,
  'azureSubscriptionID' | 'azureNodeResourceGroup' | 'networkPlugin' | 'networkPluginMode' | 'vnetGuid'
>

/**
 * Azure reserves the first four addresses and the last address of each prefix
 * (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq).
 */
const KEPT_BY_AZURE = 5
/**
 * If a subnet has fewer free addresses than this, the check warns. A node uses one address, and a second one while it is being
 * replaced.
 */
const FEW = 10

const isV4 = (prefix: string): boolean => !prefix.includes(':')

/** Returns the number of free addresses. Each node needs one IPv4 address. */
const freeAddresses = ({ properties = {} }: Subnet): number => {
  const { addressPrefixes = [], ipConfigurations = [] } = properties
  const sizes = addressPrefixes.filter(isV4).map((prefix) => 2 ** (32 - Number(prefix.split('/')[1])) - KEPT_BY_AZURE)
  return sizes.reduce((sum, size) => sum + size, 0) - ipConfigurations.length
}

/** Checks whether the resource group of the nodes exists and contains the network resources of AKS. */
export const nodeGroupFinding = async (
  network: NetworkApi,
  settings: OwnSettings,
  subnets: readonly string[],
  signal: AbortSignal,
): Promise<SubscriptionFinding> => {
  const { azureSubscriptionID, azureNodeResourceGroup: group } = settings
  const subject = {
    check: 'the resource group of the nodes has the resources of AKS',
    object: `/subscriptions/${azureSubscriptionID}/resourceGroups/${group}`,
  }
  const needsGroup = subnets.some((id) => {
    const subnet = parseSubnetId(id)
    return subnet !== undefined && !isManagedNetwork(subnet, group)
  })
  try {
    const balancers = await network.loadBalancers(signal)
    const of = needsGroup ? await managedSecurityGroup(network)(signal) : undefined
    const names = [
      ...balancers.map(({ name = '' }) => `load balancer ${name}`),
      ...(of === undefined ? [] : [`security group ${of.name}`]),
    ]
    return passed(subject, names.length === 0 ? 'no load balancer: nodes have another outbound path' : names.join(', '))
  } catch (error) {
    signal.throwIfAborted()
    const remedy = `set AZURE_NODE_RESOURCE_GROUP to the output of "az aks show --query nodeResourceGroup", not to the group of the cluster`
    if (azureErrors.SecurityGroups.is(error)) return failed(subject, error.message, remedy)
    return refused(subject, error, remedy)
  }
}

/** Checks whether a subnet exists, and has free addresses for nodes. */
export const subnetFinding = async (
  network: Pick<NetworkApi, 'subnet'>,
  id: string,
  signal: AbortSignal,
): Promise<SubscriptionFinding> => {
  const subject = { check: 'the subnet of the nodes has free addresses', object: id }
  try {
    const subnet = await network.subnet(id, signal)
    const free = freeAddresses(subnet)
    const prefixes = subnet.properties?.addressPrefixes ?? []
    const seen = `${free} free in ${prefixes.join(', ')}`
    const remedy = 'set spec.vnetSubnetID of the AKSNodeClass to a larger subnet of the same virtual network'
    if (free <= 0) return failed(subject, seen, remedy)
    return free < FEW ? warned(subject, seen, remedy) : passed(subject, seen)
  } catch (error) {
    signal.throwIfAborted()
    return refused(subject, error, 'create the subnet, or correct VNET_SUBNET_ID or spec.vnetSubnetID')
  }
}

/** Checks whether the GUID of the virtual network can be read, if nodes need it. */
export const networkFindings = async (
  network: Pick<NetworkApi, 'virtualNetwork'>,
  { networkPlugin, networkPluginMode, vnetGuid, azureSubscriptionID }: OwnSettings,
  subnets: readonly string[],
  signal: AbortSignal,
): Promise<readonly SubscriptionFinding[]> => {
  if (networkPlugin !== 'azure' || networkPluginMode !== 'overlay' || vnetGuid !== '') return []
  const networks = new Map(
    subnets.flatMap((id) => {
      const { resourceGroup, virtualNetwork } = parseSubnetId(id) ?? {}
      return resourceGroup === undefined || virtualNetwork === undefined
        ? []
        : [[`${resourceGroup}/${virtualNetwork}`.toLowerCase(), { resourceGroup, virtualNetwork }] as const]
    }),
  )
  return Promise.all(
    networks.values().map(async ({ resourceGroup, virtualNetwork }) => {
      const subject = {
        check: 'the GUID of the virtual network, which overlay nodes need, can be read',
        object: `/subscriptions/${azureSubscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Network/virtualNetworks/${virtualNetwork}`,
      }
      const remedy = 'set VNET_GUID to what "az network vnet show --query resourceGuid" prints'
      try {
        const { properties } = await network.virtualNetwork(resourceGroup, virtualNetwork, signal)
        const guid = properties?.resourceGuid ?? ''
        return guid === '' ? failed(subject, 'Azure did not return it', remedy) : passed(subject, guid)
      } catch (error) {
        signal.throwIfAborted()
        const finding = refused(subject, error, remedy)
        // The user can also set VNET_GUID. Kerf then does not read the network, so a role on the subnet is sufficient.
        return { ...finding, remedy: `${remedy}, or: ${finding.remedy}` }
      }
    }),
  )
}
