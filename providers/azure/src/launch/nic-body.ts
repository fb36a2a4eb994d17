import type { IpConfiguration, NetworkInterface } from '../api/network-shapes.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { VmSize } from '../sizes/vm-size.ts'
import type { Tags } from '../tags/resource-tags.ts'

export interface NicPlan {
  /** The name of the VM and its interface. */
  readonly name: string
  readonly settings: Pick<AzureSettings, 'azureLocation' | 'networkPlugin' | 'networkPluginMode'>
  readonly size: Pick<VmSize, 'acceleratedNetworking'>
  readonly subnetId: string
  readonly maxPods: number
  /** Resource IDs. */
  readonly backendPools: readonly string[]
  /** A resource ID. Undefined in a virtual network of AKS, where the subnet has the security group. */
  readonly securityGroup: string | undefined
  readonly tags: Tags
}

/** Returns the request body for the network interface of a VM (`providers/azure/docs/spec/azure.md#create-a-vm`). */
export const nicBody = (plan: NicPlan): NetworkInterface => {
  const { name, settings, size, subnetId, backendPools, securityGroup } = plan
  const address = { privateIPAllocationMethod: 'Dynamic', subnet: { id: subnetId } } as const
  const primary: IpConfiguration = {
    name,
    properties: {
      ...{ ...address, primary: true },
      ...(backendPools.length === 0 ? {} : { loadBalancerBackendAddressPools: backendPools.map((id) => ({ id })) }),
    },
  }
  // Without overlay, pods have addresses of the subnet, which the interface reserves for them.
  const isNodeSubnet = settings.networkPlugin === 'azure' && settings.networkPluginMode !== 'overlay'
  const ofPods = Array.from(
    { length: isNodeSubnet ? plan.maxPods - 1 : 0 },
    (_, index): IpConfiguration => ({ name: `ipconfig${index + 1}`, properties: { ...address, primary: false } }),
  )
  return {
    location: settings.azureLocation,
    tags: plan.tags,
    properties: {
      ipConfigurations: [primary, ...ofPods],
      enableAcceleratedNetworking: size.acceleratedNetworking,
      enableIPForwarding: false,
      ...(securityGroup === undefined ? {} : { networkSecurityGroup: { id: securityGroup } }),
    },
  }
}
