import type { NetworkInterface as SdkNic, Subnet as SdkSubnet } from '@azure/arm-network'
import { lazily } from '@kerf/provider-kit'
import { parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { NetworkApi } from './azure-api.ts'
import { AzureApiError } from './azure-api-error.ts'
import type { BackendAddressPool, IpConfiguration, LoadBalancer, NetworkInterface, Subnet } from './network-shapes.ts'
import { beginChange, change } from './pending-change.ts'
import { clientOptions, noCredential, type SdkOptions, withoutTokens } from './sdk-clients.ts'
import { asked, whole } from './sdk-error.ts'

type Client = InstanceType<typeof import('./clients/network.ts').NetworkManagementClient>

const reference = (id: string | undefined): { readonly id?: string } => (id === undefined ? {} : { id })
const named = ({ id, name }: { readonly id?: string | undefined; readonly name?: string | undefined }) => ({
  ...reference(id),
  ...(name === undefined ? {} : { name }),
})

const sdkNicOf = ({ location, tags, properties = {} }: NetworkInterface): SdkNic => ({
  location,
  ...(tags === undefined ? {} : { tags: { ...tags } }),
  ...(properties.enableAcceleratedNetworking === undefined
    ? {}
    : { enableAcceleratedNetworking: properties.enableAcceleratedNetworking }),
  ...(properties.enableIPForwarding === undefined ? {} : { enableIPForwarding: properties.enableIPForwarding }),
  ...(properties.networkSecurityGroup === undefined
    ? {}
    : { networkSecurityGroup: reference(properties.networkSecurityGroup.id) }),
  ipConfigurations: (properties.ipConfigurations ?? []).map(({ name, properties: own }) => ({
    name,
    privateIPAllocationMethod: own.privateIPAllocationMethod,
    subnet: reference(own.subnet.id),
    ...(own.primary === undefined ? {} : { primary: own.primary }),
    ...(own.loadBalancerBackendAddressPools === undefined
      ? {}
      : { loadBalancerBackendAddressPools: own.loadBalancerBackendAddressPools.map(({ id }) => reference(id)) }),
  })),
})

const nicOf = (nic: SdkNic): NetworkInterface => ({
  ...named(nic),
  location: nic.location ?? '',
  ...(nic.tags === undefined ? {} : { tags: nic.tags }),
  properties: {
    ipConfigurations: (nic.ipConfigurations ?? []).map(
      ({ name, primary, subnet, loadBalancerBackendAddressPools: pools }): IpConfiguration => ({
        name: name ?? '',
        properties: {
          privateIPAllocationMethod: 'Dynamic',
          subnet: reference(subnet?.id),
          ...(primary === undefined ? {} : { primary }),
          ...(pools === undefined ? {} : { loadBalancerBackendAddressPools: pools.map(({ id }) => reference(id)) }),
        },
      }),
    ),
    ...(nic.enableAcceleratedNetworking === undefined
      ? {}
      : { enableAcceleratedNetworking: nic.enableAcceleratedNetworking }),
    ...(nic.enableIPForwarding === undefined ? {} : { enableIPForwarding: nic.enableIPForwarding }),
    ...(nic.networkSecurityGroup === undefined ? {} : { networkSecurityGroup: reference(nic.networkSecurityGroup.id) }),
    ...(nic.provisioningState === undefined ? {} : { provisioningState: nic.provisioningState }),
    ...(nic.virtualMachine === undefined ? {} : { virtualMachine: reference(nic.virtualMachine.id) }),
  },
})

/** Converts a subnet. Azure uses one field for a single prefix, and another for several. */
const subnetOf = (subnet: SdkSubnet): Subnet => {
  const { addressPrefix, addressPrefixes = addressPrefix === undefined ? [] : [addressPrefix] } = subnet
  return {
    ...named(subnet),
    properties: { addressPrefixes, ipConfigurations: (subnet.ipConfigurations ?? []).map(({ id }) => reference(id)) },
  }
}

/** Returns the API for network interfaces and their networks, through the SDK. */
export const sdkNetwork = (options: SdkOptions): NetworkApi => {
  const { clock, subscription, nodeResourceGroup: group, http } = options
  const client = lazily(async (): Promise<Client> => {
    const { NetworkManagementClient } = await import('./clients/network.ts')
    return withoutTokens(new NetworkManagementClient(noCredential, subscription, clientOptions(options, http)))
  })
  return {
    networkInterface: (name, abortSignal) =>
      asked(async () => nicOf(await (await client()).networkInterfaces.get(group, name, { abortSignal })), abortSignal),
    createNetworkInterface: (name, nic, signal) =>
      change(
        client,
        ({ networkInterfaces }, abortSignal) =>
          networkInterfaces.createOrUpdate(group, name, sdkNicOf(nic), { abortSignal }),
        (made) => (made === undefined ? nic : nicOf(made)),
        { clock, signal },
      ),
    updateNetworkInterfaceTags: (name, tags, abortSignal) =>
      asked(async () => {
        await (await client()).networkInterfaces.updateTags(group, name, { tags: { ...tags } }, { abortSignal })
      }, abortSignal),
    deleteNetworkInterface: async (name, signal) => {
      await beginChange(
        client,
        ({ networkInterfaces }, abortSignal) => networkInterfaces.delete(group, name, { abortSignal }),
        () => undefined,
        { clock, signal },
      )
    },
    subnet: (id, abortSignal) =>
      asked(async () => {
        const parts = parseSubnetId(id)
        if (parts === undefined)
          throw new AzureApiError({
            code: 'LinkedInvalidPropertyId',
            message: `${id} is not the resource ID of a subnet`,
          })
        const { resourceGroup, virtualNetwork, subnet } = parts
        return subnetOf(await (await client()).subnets.get(resourceGroup, virtualNetwork, subnet, { abortSignal }))
      }, abortSignal),
    virtualNetwork: (resourceGroup, name, abortSignal) =>
      asked(async () => {
        const network = await (await client()).virtualNetworks.get(resourceGroup, name, { abortSignal })
        const { resourceGuid } = network
        return { ...named(network), properties: resourceGuid === undefined ? {} : { resourceGuid } }
      }, abortSignal),
    loadBalancers: (abortSignal) =>
      whole(
        async () => (await client()).loadBalancers.list(group, { abortSignal }),
        (balancer): LoadBalancer => ({
          ...named(balancer),
          properties: {
            backendAddressPools: (balancer.backendAddressPools ?? []).map(
              (pool): BackendAddressPool => ({
                ...named(pool),
                properties: {
                  loadBalancerBackendAddresses: (pool.loadBalancerBackendAddresses ?? []).map(({ ipAddress }) => ({
                    properties: ipAddress === undefined ? {} : { ipAddress },
                  })),
                },
              }),
            ),
          },
        }),
        abortSignal,
      ),
    securityGroups: (abortSignal) =>
      whole(async () => (await client()).networkSecurityGroups.list(group, { abortSignal }), named, abortSignal),
  }
}
