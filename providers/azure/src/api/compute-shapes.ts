/** What the provider reads and writes of Azure's compute resources, under the names that the REST API gives the fields. */

/** A size of VM in one location, as the API of resource SKUs lists it. */
export interface ResourceSku {
  readonly name?: string
  readonly resourceType?: string
  /** Of what the quota counts, such as `standardDSv5Family`. */
  readonly family?: string
  /** The name without `Standard_`. */
  readonly size?: string
  readonly locations?: readonly string[]
  readonly locationInfo?: readonly SkuLocation[]
  readonly capabilities?: readonly SkuCapability[]
  readonly restrictions?: readonly SkuRestriction[]
}

export interface SkuCapability {
  readonly name?: string
  readonly value?: string
}

export interface SkuLocation {
  readonly location?: string
  readonly zones?: readonly string[]
  /** What only some zones can. */
  readonly zoneDetails?: readonly {
    readonly name?: readonly string[]
    readonly capabilities?: readonly SkuCapability[]
  }[]
}

export interface SkuRestriction {
  readonly type?: 'Location' | 'Zone'
  readonly values?: readonly string[]
  readonly restrictionInfo?: { readonly locations?: readonly string[]; readonly zones?: readonly string[] }
  readonly reasonCode?: string
}

/** How much of a quota is used. */
export interface Usage {
  readonly name: { readonly value?: string }
  readonly currentValue?: number
  readonly limit?: number
}

type Tags = Readonly<Record<string, string>>

interface Reference {
  readonly id?: string
}

export interface Vm extends Reference {
  readonly name?: string
  readonly location: string
  readonly zones?: readonly string[]
  readonly tags?: Tags
  readonly identity?: {
    readonly type?: 'UserAssigned' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'None'
    readonly userAssignedIdentities?: Readonly<Record<string, object>>
  }
  readonly properties?: VmProperties
}

export interface VmProperties {
  readonly hardwareProfile?: { readonly vmSize?: string }
  readonly storageProfile?: {
    readonly imageReference?: { readonly id?: string; readonly communityGalleryImageId?: string }
    readonly osDisk?: OsDisk
  }
  readonly networkProfile?: {
    readonly networkInterfaces?: readonly {
      readonly id?: string
      readonly properties?: { readonly primary?: boolean; readonly deleteOption?: 'Delete' | 'Detach' }
    }[]
  }
  readonly osProfile?: {
    readonly computerName?: string
    readonly adminUsername?: string
    /** In base64. Azure never gives it back. */
    readonly customData?: string
    readonly linuxConfiguration?: {
      readonly disablePasswordAuthentication?: boolean
      readonly ssh?: { readonly publicKeys?: readonly { readonly keyData?: string; readonly path?: string }[] }
    }
  }
  readonly priority?: 'Regular' | 'Spot'
  readonly evictionPolicy?: 'Delete' | 'Deallocate'
  readonly billingProfile?: { readonly maxPrice?: number }
  readonly securityProfile?: {
    readonly encryptionAtHost?: boolean
    readonly securityType?: 'TrustedLaunch'
    readonly uefiSettings?: { readonly vTpmEnabled?: boolean; readonly secureBootEnabled?: boolean }
  }
  readonly additionalCapabilities?: { readonly ultraSSDEnabled?: boolean }
  readonly provisioningState?: string
  /** RFC 3339. */
  readonly timeCreated?: string
}

export interface OsDisk {
  readonly name?: string
  readonly createOption: 'FromImage'
  readonly diskSizeGB?: number
  readonly deleteOption?: 'Delete' | 'Detach'
  readonly caching?: 'ReadOnly' | 'ReadWrite' | 'None'
  readonly diffDiskSettings?: {
    readonly option: 'Local'
    readonly placement?: 'NvmeDisk' | 'CacheDisk' | 'ResourceDisk'
  }
  readonly managedDisk?: { readonly diskEncryptionSet?: Reference }
}

export interface VmExtension {
  readonly location: string
  readonly tags?: Tags
  readonly properties: {
    readonly publisher: string
    readonly type: string
    readonly typeHandlerVersion: string
    readonly autoUpgradeMinorVersion?: boolean
    readonly settings?: object
  }
}
