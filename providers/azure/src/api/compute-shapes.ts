/** The fields of Azure compute resources that the provider uses, with the names of the REST API. */

/** A VM size in one location, as the resource SKUs API lists it. */
export interface ResourceSku {
  readonly name?: string
  readonly resourceType?: string
  /** The quota family, such as `standardDSv5Family`. */
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
  /** Capabilities that only some zones have. */
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

/** The usage of a quota. */
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
    /** The custom data in base64. Azure never returns it. */
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
  /** In RFC 3339. */
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
