/**
 * Types for the actions that the provider calls. They contain only the fields that it uses, with their wire names
 * (`providers/alibaba/docs/spec/alibaba.md#calls`). A test compares every request with the vendor's description.
 */

export interface Tag {
  readonly Key: string
  readonly Value?: string
}

interface Page {
  readonly NextToken?: string
}

export interface DescribedType {
  readonly InstanceTypeId: string
  readonly CpuCoreCount: number
  readonly MemorySize: number
  readonly CpuArchitecture?: string
  readonly PhysicalProcessorModel?: string
  readonly GPUAmount?: number
  readonly GPUSpec?: string
  readonly GPUMemorySize?: number
  readonly EniQuantity?: number
  readonly EniPrivateIpAddressQuantity?: number
}

export interface SupportedResource {
  readonly Value: string
  readonly Status?: string
  readonly StatusCategory?: string
}

export interface AvailableZone {
  readonly ZoneId: string
  readonly Status?: string
  readonly StatusCategory?: string
  readonly AvailableResources?: {
    readonly AvailableResource?: readonly {
      readonly Type?: string
      readonly SupportedResources?: { readonly SupportedResource?: readonly SupportedResource[] }
    }[]
  }
}

export interface DescribedVSwitch {
  readonly VSwitchId: string
  readonly ZoneId: string
  readonly AvailableIpAddressCount?: number
}

export interface DescribedSecurityGroup {
  readonly SecurityGroupId: string
  readonly SecurityGroupName?: string
}

/** A tag of a resource. */
export interface TagResource {
  readonly ResourceId: string
  readonly TagKey?: string
}

export interface DescribedImage {
  readonly ImageId: string
  readonly ImageName?: string
  readonly Architecture?: string
}

/** One instance type of a launch, with the vSwitch that determines its zone. */
export interface LaunchTemplate {
  readonly InstanceType: string
  readonly VSwitchId: string
  readonly WeightedCapacity: number
  readonly ImageId?: string
  readonly Priority?: number
}

export interface LaunchRequest {
  readonly RegionId: string
  readonly ClientToken: string
  readonly AutoProvisioningGroupType: 'instant'
  readonly TotalTargetCapacity: string
  readonly SpotTargetCapacity: string
  readonly PayAsYouGoTargetCapacity: string
  readonly SpotAllocationStrategy: string
  readonly PayAsYouGoAllocationStrategy: string
  readonly ExcessCapacityTerminationPolicy: string
  readonly LaunchTemplateConfig: readonly LaunchTemplate[]
  readonly LaunchConfiguration: {
    readonly ImageId: string
    readonly UserData: string
    readonly SecurityGroupIds: readonly string[]
    readonly Tag: readonly Tag[]
    readonly ResourceGroupId?: string
    readonly SystemDiskSize?: number
    readonly SystemDiskPerformanceLevel?: string
    readonly KeyPairName?: string
    readonly Password?: string
    readonly PasswordInherit?: boolean
    readonly DataDisk?: readonly { readonly Size: number; readonly Device?: string }[]
  }
  readonly SystemDiskConfig?: readonly { readonly DiskCategory: string }[]
  readonly DataDiskConfig?: readonly { readonly DiskCategory: string }[]
  readonly Tag: readonly Tag[]
}

export interface LaunchResult {
  readonly InstanceType?: string
  readonly ZoneId?: string
  readonly SpotStrategy?: string
  readonly ErrorCode?: string
  readonly ErrorMsg?: string
  readonly InstanceIds?: { readonly InstanceId?: readonly string[] }
}

export interface DescribedInstance {
  readonly InstanceId: string
  readonly InstanceType: string
  readonly ZoneId: string
  readonly Status: string
  readonly SpotStrategy?: string
  readonly ImageId?: string
  readonly CreationTime?: string
  readonly SecurityGroupIds?: { readonly SecurityGroupId?: readonly string[] }
  readonly VpcAttributes?: { readonly VSwitchId?: string }
  readonly Tags?: { readonly Tag?: readonly { readonly TagKey: string; readonly TagValue?: string }[] }
}

export interface SpotPrice {
  readonly InstanceType: string
  readonly ZoneId: string
  readonly SpotPrice: number
  /** The on-demand price of the same instance, without disks. */
  readonly OriginPrice?: number
  readonly Timestamp: string
}

export interface ClusterImage {
  readonly image_id?: string
  readonly image_name?: string
  readonly architecture?: string
}

export interface ClusterNodePool {
  readonly nodepool_info?: { readonly nodepool_id?: string; readonly is_default?: boolean }
  readonly kubernetes_config?: { readonly runtime?: string; readonly runtime_version?: string }
  readonly status?: { readonly healthy_nodes?: number }
}

/** Requests and responses by action. */
export interface Actions {
  readonly DescribeInstanceTypes: readonly [
    request: { readonly MaxResults: number; readonly NextToken?: string },
    response: Page & { readonly InstanceTypes?: { readonly InstanceType?: readonly DescribedType[] } },
  ]
  readonly DescribeAvailableResource: readonly [
    request: {
      readonly RegionId: string
      readonly DestinationResource: 'InstanceType' | 'SystemDisk'
      readonly InstanceType?: string
      readonly SpotStrategy?: 'SpotAsPriceGo'
    },
    response: { readonly AvailableZones?: { readonly AvailableZone?: readonly AvailableZone[] } },
  ]
  readonly DescribeSecurityGroups: readonly [
    request: {
      readonly RegionId: string
      readonly SecurityGroupId?: string
      readonly SecurityGroupName?: string
      readonly Tag?: readonly Tag[]
      readonly MaxResults: number
      readonly NextToken?: string
    },
    response: Page & { readonly SecurityGroups?: { readonly SecurityGroup?: readonly DescribedSecurityGroup[] } },
  ]
  readonly DescribeImages: readonly [
    request: { readonly RegionId: string; readonly ImageId: string; readonly ShowExpired: boolean },
    response: { readonly Images?: { readonly Image?: readonly DescribedImage[] } },
  ]
  readonly CreateAutoProvisioningGroup: readonly [
    request: LaunchRequest,
    response: { readonly LaunchResults?: { readonly LaunchResult?: readonly LaunchResult[] } },
  ]
  readonly DescribeInstances: readonly [
    request: {
      readonly RegionId: string
      /** A JSON list of at most 100 IDs. */
      readonly InstanceIds?: string
      readonly Tag?: readonly Tag[]
      readonly MaxResults: number
      readonly NextToken?: string
      /** If true, the call only checks the permission. The API returns the error `DryRunOperation` if the caller has it. */
      readonly DryRun?: true
    },
    response: Page & { readonly Instances?: { readonly Instance?: readonly DescribedInstance[] } },
  ]
  /** Returns every tagged resource. DescribeInstances returns at most 1,000 instances for a query by tags. */
  readonly ListTagResources: readonly [
    request: {
      readonly RegionId: string
      readonly ResourceType: 'instance'
      readonly Tag: readonly Tag[]
      readonly NextToken?: string
    },
    response: Page & { readonly TagResources?: { readonly TagResource?: readonly TagResource[] } },
  ]
  readonly DeleteInstance: readonly [
    request: { readonly InstanceId: string; readonly Force: boolean; readonly TerminateSubscription: boolean },
    response: object,
  ]
  readonly AddTags: readonly [
    request: {
      readonly RegionId: string
      readonly ResourceType: 'instance'
      readonly ResourceId: string
      readonly Tag: readonly Tag[]
    },
    response: object,
  ]
  readonly DescribeSpotPriceHistory: readonly [
    request: {
      readonly RegionId: string
      readonly NetworkType: 'vpc'
      readonly InstanceType: string
      readonly Offset?: number
    },
    response: {
      readonly Currency?: string
      readonly NextOffset?: number
      readonly SpotPrices?: { readonly SpotPriceType?: readonly SpotPrice[] }
    },
  ]
  readonly DescribeVSwitches: readonly [
    request: {
      readonly RegionId: string
      readonly VSwitchId?: string
      readonly Tag?: readonly Tag[]
      readonly PageSize: number
      readonly PageNumber: number
    },
    response: {
      readonly TotalCount?: number
      readonly VSwitches?: { readonly VSwitch?: readonly DescribedVSwitch[] }
    },
  ]
  readonly DescribeClusterDetail: readonly [
    request: { readonly ClusterId: string },
    response: { readonly meta_data?: string; readonly node_cidr_mask?: string },
  ]
  readonly DescribeClusterNodePools: readonly [
    request: { readonly ClusterId: string },
    response: { readonly nodepools?: readonly ClusterNodePool[] },
  ]
  readonly DescribeClusterAttachScripts: readonly [
    request: {
      readonly ClusterId: string
      readonly keep_instance_name: boolean
      readonly format_disk: boolean
      readonly nodepool_id?: string
      readonly arch?: string
    },
    /** The script with which an instance joins the cluster. It contains a token. */
    response: string,
  ]
  readonly DescribeKubernetesVersionMetadata: readonly [
    request: { readonly Region: string; readonly ClusterType: string; readonly KubernetesVersion: string },
    response: readonly { readonly images?: readonly ClusterImage[] }[],
  ]
}

export type ActionName = keyof Actions
export type ActionRequest<A extends ActionName> = Actions[A][0]
export type ActionResponse<A extends ActionName> = Actions[A][1]

/** The client for Alibaba Cloud's APIs. */
export interface AlibabaApi {
  /** @throws AlibabaApiError if the API refuses the call; NoResponseError if there is no response; the abort reason of the signal */
  call<A extends ActionName>(action: A, request: ActionRequest<A>, signal: AbortSignal): Promise<ActionResponse<A>>
}
