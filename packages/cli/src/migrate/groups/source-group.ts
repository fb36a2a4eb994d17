import type { ResourceList, Taint } from '@kerf/apis'
import type { AKSNodeClassSpec } from '@kerf/provider-azure/node-class'
import type { InstanceAttributes } from './instance-attributes.ts'

/** The kind of source that describes a node group. */
export type GroupOrigin =
  | 'Auto Scaling group'
  | 'managed node group'
  | 'eksctl node group'
  | 'AKS node pool'
  | 'KWOK template'
  | 'status and nodes'

/** The known launch settings of a group's instances. */
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

export type CapacityType = 'spot' | 'on-demand'

/** A node group of Cluster Autoscaler, independent of the source. */
export interface SourceGroup {
  readonly name: string
  readonly origin: GroupOrigin
  /** Position in the source, `file:line`. */
  readonly at: string
  readonly min: number
  readonly max: number
  readonly desired: number
  /** Instance types in order of preference. A mixed-instances policy has more than one. */
  readonly instanceTypes: readonly string[]
  /** How types are chosen if no type is named. */
  readonly attributes?: InstanceAttributes
  readonly capacityTypes: readonly CapacityType[]
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly startupTaints: readonly Taint[]
  /** Extended resources that only tags declare. */
  readonly resources: Readonly<Record<string, string>>
  /** What a node of the group offers to pods, if a template or a node shows it. */
  readonly allocatable?: ResourceList
  readonly launch: LaunchSettings
  /** Options of Cluster Autoscaler for this group, by their names in tags. */
  readonly options: Readonly<Record<string, string>>
  /** Tags of the Auto Scaling group. Absent if the export has none. */
  readonly tags?: Readonly<Record<string, string>>
  /** How many nodes an update may replace at a time, in the form of EKS: a number or a percentage. */
  readonly maxUnavailable?: string
  /** The launch template of the group, and its version. */
  readonly template?: TemplateRef
  /** Names of the Auto Scaling groups behind a managed node group. */
  readonly scalingGroups?: readonly string[]
  /** Fields that only an AKS node pool has. */
  readonly aks?: AksPool
}

/** The place of an AKS node pool, and the launch settings of its nodes. */
export interface AksPool {
  /** Name of the cluster. */
  readonly name?: string
  readonly resourceGroup?: string
  readonly location?: string
  /** Whether it is a system pool. AKS runs its own pods there, and the last system pool cannot be deleted. */
  readonly isSystem: boolean
  readonly spec: AKSNodeClassSpec
}

export interface TemplateRef {
  readonly id?: string
  readonly name?: string
  /** A number, `$Latest` or `$Default`. */
  readonly version: string
}

/** Something that the user must decide or add, because the source does not describe it completely. */
export interface Question {
  readonly object: string
  readonly message: string
}

/** Returns the id under which a launch configuration is stored among the launch templates. */
export const configurationId = (name: string): string => `launch configuration ${name}`
