import type { AKSNodeClassSpec, ResourceList, Taint } from '@kerf/apis'
import type { InstanceAttributes } from './instance-attributes.ts'

/** Where the description of a node group comes from. */
export type GroupOrigin =
  | 'Auto Scaling group'
  | 'managed node group'
  | 'eksctl node group'
  | 'AKS node pool'
  | 'KWOK template'
  | 'status and nodes'

/** What the instances of a group are launched with, as far as it is known. */
export interface LaunchSettings {
  /** `AL2023_x86_64_STANDARD`, as EKS names them, or eksctl's family. */
  readonly imageFamily?: string
  /** `1.33.0-20250715`, the release of the image that runs. */
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

/** A node group of Cluster Autoscaler, whatever it was read from. */
export interface SourceGroup {
  readonly name: string
  readonly origin: GroupOrigin
  /** `file:line`. */
  readonly at: string
  readonly min: number
  readonly max: number
  readonly desired: number
  /** In the order of preference; more than one in a mixed-instances policy. */
  readonly instanceTypes: readonly string[]
  /** How types are chosen when no names are given. */
  readonly attributes?: InstanceAttributes
  readonly capacityTypes: readonly CapacityType[]
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly startupTaints: readonly Taint[]
  /** Extended resources that only tags tell of. */
  readonly resources: Readonly<Record<string, string>>
  /** What a node of the group can give to pods, where a template or a node shows it. */
  readonly allocatable?: ResourceList
  readonly launch: LaunchSettings
  /** Cluster Autoscaler's options of this group alone, by their names in tags. */
  readonly options: Readonly<Record<string, string>>
  /** Those of the Auto Scaling group itself; absent where an export has none. */
  readonly tags?: Readonly<Record<string, string>>
  /** How many of its nodes an update may take at a time, as EKS says it: a number or a percentage. */
  readonly maxUnavailable?: string
  /** The launch template that it names, and which version. */
  readonly template?: TemplateRef
  /** Names of the Auto Scaling groups behind a managed node group. */
  readonly scalingGroups?: readonly string[]
  /** What only a node pool of AKS has. */
  readonly aks?: AksPool
}

/** Where a node pool of AKS is, and what its nodes are launched with. */
export interface AksPool {
  /** Of the cluster. */
  readonly name?: string
  readonly resourceGroup?: string
  readonly location?: string
  /** AKS's own pods run on it, and it may not go as long as it is the last one. */
  readonly isSystem: boolean
  readonly spec: AKSNodeClassSpec
}

export interface TemplateRef {
  readonly id?: string
  readonly name?: string
  /** A number, `$Latest` or `$Default`. */
  readonly version: string
}

/** Only a group that somebody described completely is without open questions. */
export interface Question {
  readonly object: string
  readonly message: string
}

/** The id by which a group means its launch configuration, as it means a launch template by one. */
export const configurationId = (name: string): string => `launch configuration ${name}`
