import type { DefinedTags, FreeformTags, OciShapeConfig } from './oci-shapes.ts'

/** The primary network interface of a new instance. */
export interface VnicDetails {
  readonly subnetId: string
  readonly nsgIds?: readonly string[]
  readonly assignPublicIp?: boolean
  readonly assignIpv6Ip?: boolean
  readonly skipSourceDestCheck?: boolean
  readonly displayName?: string
  readonly securityAttributes?: DefinedTags
  readonly ipv6AddressIpv6SubnetCidrPairDetails?: readonly { readonly ipv6SubnetCidr: string }[]
}

/** A volume that is created with the instance and deleted with it. */
export interface LaunchVolume {
  readonly type: 'iscsi' | 'paravirtualized'
  readonly launchCreateVolumeDetails: {
    readonly volumeCreationType: 'ATTRIBUTES'
    readonly sizeInGBs: number
    readonly vpusPerGB: number
  }
}

/** The request of LaunchInstance, with the API's field names (`providers/oci/docs/spec/oci.md#launch`). */
export interface LaunchDetails {
  readonly availabilityDomain: string
  readonly faultDomain?: string
  readonly compartmentId: string
  readonly displayName: string
  readonly shape: string
  readonly shapeConfig?: OciShapeConfig
  readonly sourceDetails: {
    readonly sourceType: 'image'
    readonly imageId: string
    readonly bootVolumeSizeInGBs?: number
    readonly bootVolumeVpusPerGB?: number
    readonly kmsKeyId?: string
  }
  readonly createVnicDetails: VnicDetails
  readonly isPvEncryptionInTransitEnabled?: boolean
  readonly instanceOptions: { readonly areLegacyImdsEndpointsDisabled: boolean }
  readonly launchOptions?: Readonly<Record<string, string | boolean>>
  readonly launchVolumeAttachments?: readonly LaunchVolume[]
  readonly agentConfig?: {
    readonly pluginsConfig: readonly { readonly name: string; readonly desiredState: 'ENABLED' }[]
  }
  readonly preemptibleInstanceConfig?: {
    readonly preemptionAction: { readonly type: 'TERMINATE'; readonly preserveBootVolume: false }
  }
  readonly capacityReservationId?: string
  readonly computeClusterId?: string
  readonly clusterPlacementGroupId?: string
  readonly definedTags?: DefinedTags
  readonly freeformTags?: FreeformTags
  readonly metadata: Readonly<Record<string, string>>
}
