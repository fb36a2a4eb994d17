import { annotations, labels, type NodeClaim, parseQuantity, toNumber } from '@kerf/apis'
import { areCompatible } from '@kerf/provider-contract'
import type { LaunchOption } from '@kerf/provider-kit'
import type { LaunchRequest, Tag } from '../api/actions.ts'
import { systemDiskSize } from '../instance-types/class-traits.ts'
import { clusterTag, TAG } from '../names.ts'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'

const GIB = 1024 ** 3
const LEAST_DATA_DISK = 20

/** One instance type, with the vSwitch and the image for its launch. */
export interface LaunchPlan {
  readonly option: LaunchOption
  readonly vSwitch: string
  readonly image: string
}

export interface LaunchFacts {
  readonly region: string
  readonly clusterId: string
  readonly token: string
  readonly isSpot: boolean
  /** In base64. */
  readonly userData: string
  /** The list is never empty. The image of the first plan is also the default image of the provisioning group. */
  readonly plans: readonly [LaunchPlan, ...LaunchPlan[]]
}

/** Returns the node class's image for an instance type, or undefined if the class has none for the type's architecture. */
export const imageFor = ({ type }: LaunchOption, { status }: Pick<ECSNodeClass, 'status'>): string | undefined =>
  status?.images?.find(({ requirements }) =>
    areCompatible(
      // The status controller writes only `In`, the operator of node selectors.
      requirements.flatMap(({ key, operator, values = [] }) =>
        operator === 'In' ? [{ key, operator, values } as const] : [],
      ),
      type.requirements,
    ),
  )?.id

/** Returns a size in whole GiB, rounded down. */
const gibibytes = (size: string): number => Math.floor(toNumber(parseQuantity(size)) / GIB)

const tagList = (tags: Readonly<Record<string, string>>): readonly Tag[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))

/**
 * Returns the tags that an instance gets at its launch: the tags of the node class, and the tags with which Kerf identifies the instance.
 */
export const instanceTags = (
  { metadata }: NodeClaim,
  nodeClass: ECSNodeClass,
  clusterId: string,
): Readonly<Record<string, string>> => ({
  ...nodeClass.spec?.tags,
  [clusterTag(clusterId)]: 'owned',
  [TAG.nodePool]: metadata.labels?.[labels.nodePool] ?? '',
  [TAG.clusterId]: clusterId,
  [TAG.nodeClass]: nodeClass.metadata.name,
  [TAG.nodeClaim]: metadata.name,
  [TAG.nodeClaimUid]: metadata.uid ?? '',
})

/** Returns the request that launches one instance (`providers/alibaba/docs/spec/alibaba.md#request`). */
export const launchRequest = (
  claim: NodeClaim,
  nodeClass: ECSNodeClass,
  { region, clusterId, token, isSpot, userData, plans }: LaunchFacts,
): LaunchRequest => {
  const { spec = undefined, status } = nodeClass
  const byPriority = !isSpot && claim.metadata.annotations?.[annotations.priceOverlayApplied] === 'true'
  const size = systemDiskSize(spec)
  const categories = spec?.systemDisk?.categories ?? []
  const { dataDisks = [], dataDiskCategories = [] } = spec ?? {}
  const hasDataDisks = dataDisks.length > 0 && dataDiskCategories.length > 0
  const level = categories.includes('cloud_essd') ? spec?.systemDisk?.performanceLevel : undefined
  return {
    RegionId: region,
    ClientToken: token,
    AutoProvisioningGroupType: 'instant',
    TotalTargetCapacity: '1',
    SpotTargetCapacity: isSpot ? '1' : '0',
    PayAsYouGoTargetCapacity: isSpot ? '0' : '1',
    SpotAllocationStrategy: 'lowest-price',
    // ECS has no priorities for spot instances.
    PayAsYouGoAllocationStrategy: byPriority ? 'prioritized' : 'lowest-price',
    ExcessCapacityTerminationPolicy: 'termination',
    LaunchTemplateConfig: plans.map(({ option, vSwitch, image }, index) => ({
      ...{ InstanceType: option.type.name, VSwitchId: vSwitch, WeightedCapacity: 1, ImageId: image },
      ...(byPriority ? { Priority: index } : {}),
    })),
    LaunchConfiguration: {
      ImageId: plans[0].image,
      UserData: userData,
      SecurityGroupIds: (status?.securityGroups ?? []).map(({ id }) => id),
      Tag: tagList(instanceTags(claim, nodeClass, clusterId)),
      ...(spec?.resourceGroupId === undefined ? {} : { ResourceGroupId: spec.resourceGroupId }),
      // If no size is given, ECS uses the size of the image.
      ...(size === undefined ? {} : { SystemDiskSize: gibibytes(size) }),
      ...(level === undefined ? {} : { SystemDiskPerformanceLevel: level }),
      ...(spec?.keyPairName === undefined ? {} : { KeyPairName: spec.keyPairName }),
      ...(spec?.password === undefined ? {} : { Password: spec.password }),
      ...(spec?.passwordInherit === true ? { PasswordInherit: true } : {}),
      ...(hasDataDisks
        ? {
            DataDisk: dataDisks.map(({ volumeSize = '20Gi', device }) => ({
              Size: Math.max(LEAST_DATA_DISK, gibibytes(volumeSize)),
              ...(device === undefined ? {} : { Device: device }),
            })),
          }
        : {}),
    },
    ...(categories.length === 0 ? {} : { SystemDiskConfig: categories.map((DiskCategory) => ({ DiskCategory })) }),
    ...(hasDataDisks ? { DataDiskConfig: dataDiskCategories.map((DiskCategory) => ({ DiskCategory })) } : {}),
    Tag: [{ Key: TAG.group, Value: 'true' }],
  }
}
