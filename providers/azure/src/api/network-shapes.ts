/** The fields of Azure network resources that the provider uses, with the names of the REST API. */

interface Reference {
  readonly id?: string
}

export interface IpConfiguration {
  readonly name: string
  readonly properties: {
    readonly primary?: boolean
    readonly privateIPAllocationMethod: 'Dynamic'
    readonly subnet: Reference
    readonly loadBalancerBackendAddressPools?: readonly Reference[]
  }
}

export interface NetworkInterface extends Reference {
  readonly name?: string
  readonly location: string
  readonly tags?: Readonly<Record<string, string>>
  readonly properties?: {
    readonly ipConfigurations?: readonly IpConfiguration[]
    readonly enableAcceleratedNetworking?: boolean
    readonly enableIPForwarding?: boolean
    readonly networkSecurityGroup?: Reference
    readonly provisioningState?: string
    /** The VM to which the interface is attached. */
    readonly virtualMachine?: Reference
  }
}

export interface Subnet extends Reference {
  readonly name?: string
  readonly properties?: {
    /** In CIDR notation. */
    readonly addressPrefixes?: readonly string[]
    /** One IP configuration for each address in use. */
    readonly ipConfigurations?: readonly Reference[]
  }
}

export interface VirtualNetwork extends Reference {
  readonly name?: string
  readonly properties?: { readonly resourceGuid?: string }
}

export interface BackendAddressPool extends Reference {
  readonly name?: string
  readonly properties?: {
    readonly loadBalancerBackendAddresses?: readonly { readonly properties?: { readonly ipAddress?: string } }[]
  }
}

export interface LoadBalancer extends Reference {
  readonly name?: string
  readonly properties?: { readonly backendAddressPools?: readonly BackendAddressPool[] }
}

export interface SecurityGroup extends Reference {
  readonly name?: string
}
