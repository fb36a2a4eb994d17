import type { ReadGroup, SourceGroup } from '@kerf/provider-contract'

/** The known launch settings of a node group's instances. */
export interface LaunchSettings {
  /** Image family in the words of EKS (`AL2023_x86_64_STANDARD`) or eksctl. */
  readonly imageFamily?: string
  /** Release of the running image, for example `1.33.0-20250715`. */
  readonly imageRelease?: string
  readonly imageId?: string
  readonly userData?: string
  readonly role?: string
  readonly instanceProfile?: string
  readonly securityGroupIds?: readonly string[]
  readonly subnetIds?: readonly string[]
  readonly blockDevices?: readonly BlockDevice[]
  readonly metadataOptions?: Readonly<Record<string, string | number>>
  readonly tags?: Readonly<Record<string, string>>
  readonly maxPods?: number
  readonly detailedMonitoring?: boolean
  readonly associatePublicIp?: boolean
  readonly capacityReservationId?: string
  readonly placementGroup?: string
  /** Tags of the Auto Scaling group. Absent if the export has none. */
  readonly groupTags?: Readonly<Record<string, string>>
  /** The launch template of the node group, and its version. */
  readonly template?: TemplateRef
}

export interface BlockDevice {
  readonly deviceName: string
  readonly sizeGiB?: number
  readonly volumeType?: string
  readonly iops?: number
  readonly throughput?: number
  readonly encrypted?: boolean
  readonly kmsKeyId?: string
  readonly snapshotId?: string
  readonly deleteOnTermination?: boolean
}

export interface TemplateRef {
  readonly id?: string
  readonly name?: string
  /** A number, `$Latest` or `$Default`. */
  readonly version: string
}

export interface AwsGroup extends SourceGroup<LaunchSettings> {
  readonly origin: 'Auto Scaling group' | 'managed node group' | 'eksctl node group'
  readonly launch: LaunchSettings
}

export interface ReadAwsGroup extends ReadGroup<LaunchSettings> {
  readonly group: AwsGroup
}

/** Returns the id under which a launch configuration is stored among the launch templates. */
export const configurationId = (name: string): string => `launch configuration ${name}`

/** Returns the last part of an ARN, or of a name with a path. */
export const lastPart = (text: string): string => text.slice(text.lastIndexOf('/') + 1)
