import type { models } from 'oci-core'

type Defined<T> = T extends undefined ? never : T

/** Tags by namespace and key. */
export type DefinedTags = Readonly<Record<string, Readonly<Record<string, unknown>>>>
export type FreeformTags = Readonly<Record<string, string>>

/** The tags of an object. */
export interface Tagged {
  readonly freeformTags: FreeformTags
  readonly definedTags: DefinedTags
}

/** The OCPUs and the memory of an instance. The amounts are also set for fixed shapes. */
export interface OciShapeConfig {
  readonly ocpus?: number
  readonly memoryInGBs?: number
  readonly baselineOcpuUtilization?: string
}

export interface OciInstance extends Tagged {
  readonly id: string
  readonly displayName: string
  /** The full name with the tenancy's prefix, for example `Uocm:PHX-AD-1`. */
  readonly availabilityDomain: string
  readonly faultDomain?: string
  readonly compartmentId: string
  readonly shape: string
  readonly shapeConfig: OciShapeConfig
  readonly lifecycleState: string
  readonly timeCreated: string
  readonly imageId?: string
  readonly capacityReservationId?: string
  readonly clusterPlacementGroupId?: string
  readonly isPreemptible: boolean
  readonly launchOptions: Readonly<Record<string, unknown>>
}

/** A shape in one availability domain, with the fields of the SDK that Kerf reads. */
export type OciShape = Readonly<
  Pick<
    models.Shape,
    | 'shape'
    | 'ocpus'
    | 'memoryInGBs'
    | 'networkingBandwidthInGbps'
    | 'maxVnicAttachments'
    | 'gpus'
    | 'gpuDescription'
    | 'localDisks'
    | 'localDisksTotalSizeInGBs'
    | 'isFlexible'
    | 'processorDescription'
  >
> & {
  readonly baselineOcpuUtilizations?: readonly string[]
  readonly billingType?: string
  readonly ocpuOptions?: Readonly<Defined<models.Shape['ocpuOptions']>>
  readonly memoryOptions?: Readonly<Defined<models.Shape['memoryOptions']>>
  readonly networkingBandwidthOptions?: Readonly<Defined<models.Shape['networkingBandwidthOptions']>>
  readonly maxVnicAttachmentOptions?: Readonly<Defined<models.Shape['maxVnicAttachmentOptions']>>
}

export interface OciImage extends Tagged {
  readonly id: string
  readonly displayName: string
  readonly compartmentId: string
  readonly baseImageId?: string
  readonly operatingSystem: string
  readonly operatingSystemVersion: string
  readonly lifecycleState: string
  readonly timeCreated: string
}

export interface OciSubnet extends Tagged {
  readonly id: string
  readonly displayName: string
  readonly compartmentId: string
  readonly vcnId: string
  /** Absent for regional subnets, which is the usual case. */
  readonly availabilityDomain?: string
  readonly cidrBlocks: readonly string[]
  readonly lifecycleState: string
}

/** The percentage of an address block that is in use. */
export interface CidrUtilization {
  readonly cidr: string
  readonly addressType: string
  readonly utilization: number
}

export interface OciNetworkSecurityGroup extends Tagged {
  readonly id: string
  readonly displayName: string
  readonly compartmentId: string
  readonly vcnId: string
  readonly lifecycleState: string
}

export interface VnicAttachment {
  readonly instanceId: string
  readonly vnicId?: string
  readonly subnetId?: string
  readonly lifecycleState: string
}

export interface OciVnic {
  readonly id: string
  readonly isPrimary: boolean
  readonly subnetId?: string
  readonly nsgIds: readonly string[]
}

export interface BootVolumeAttachment {
  readonly instanceId: string
  readonly bootVolumeId: string
  readonly isPvEncryptionInTransitEnabled?: boolean
}

export interface OciBootVolume {
  readonly id: string
  readonly sizeInGBs?: number
  readonly vpusPerGB?: number
  readonly kmsKeyId?: string
}

export interface OciCapacityReservation extends Tagged {
  readonly id: string
  readonly displayName: string
  readonly compartmentId: string
  readonly availabilityDomain: string
  readonly lifecycleState: string
  /** The reserved instances by shape. Lists of reservations do not contain them. */
  readonly configs: readonly ReservationConfig[]
}

export interface ReservationConfig {
  readonly shape: string
  readonly faultDomain?: string
  readonly ocpus?: number
  readonly memoryInGBs?: number
  readonly reserved: number
  readonly used: number
}

export interface OciComputeCluster extends Tagged {
  readonly id: string
  readonly displayName: string
  readonly compartmentId: string
  readonly availabilityDomain: string
  readonly lifecycleState: string
}

/** The progress of an operation that continues after Oracle Cloud has responded to the request. */
export interface OciWorkRequest {
  readonly id: string
  readonly status: string
}

export interface WorkRequestProblem {
  readonly code: string
  readonly message: string
}
