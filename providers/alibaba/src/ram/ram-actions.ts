import { type PermissionStatement, permissionPurposes } from '@kerf/provider-kit'
import type { ActionName } from '../api/actions.ts'

/** Kerf's capabilities in an account. If permissions are missing, only the capabilities that need them fail. */
export const alibabaCapabilities = {
  launch: 'launch instances',
  instances: 'list, tag and release instances',
  discovery: 'find vSwitches, security groups, images, instance types and their stock',
  cluster: 'read the network, the node pools, the images and the attach script of the ACK cluster',
  prices: 'read prices, so that plans use those that come with Kerf',
} as const
export type AlibabaCapability = keyof typeof alibabaCapabilities

interface RamAction {
  readonly capability: AlibabaCapability
  /** The RAM actions that the call needs. Usually this is only the action with the name of the call. */
  readonly actions: readonly string[]
}

const ecs = (capability: AlibabaCapability, ...actions: readonly string[]): RamAction => ({
  capability,
  actions: actions.map((action) => `ecs:${action}`),
})
const cs = (action: string): RamAction => ({ capability: 'cluster', actions: [`cs:${action}`] })

/** The permissions that each of Kerf's calls needs. A call without an entry is a type error. */
const ramActions: Readonly<Record<ActionName, RamAction>> = {
  DescribeInstanceTypes: ecs('discovery', 'DescribeInstanceTypes'),
  DescribeAvailableResource: ecs('discovery', 'DescribeAvailableResource'),
  DescribeSecurityGroups: ecs('discovery', 'DescribeSecurityGroups'),
  DescribeImages: ecs('discovery', 'DescribeImages'),
  // The group launches the instance with the caller's permissions, so the caller also needs RunInstances.
  CreateAutoProvisioningGroup: ecs('launch', 'CreateAutoProvisioningGroup', 'RunInstances'),
  DescribeInstances: ecs('instances', 'DescribeInstances'),
  ListTagResources: ecs('instances', 'ListTagResources'),
  DeleteInstance: ecs('instances', 'DeleteInstance'),
  AddTags: ecs('instances', 'AddTags'),
  DescribeSpotPriceHistory: ecs('prices', 'DescribeSpotPriceHistory'),
  DescribeVSwitches: { capability: 'discovery', actions: ['vpc:DescribeVSwitches'] },
  DescribeClusterDetail: cs('DescribeClusterDetail'),
  DescribeClusterNodePools: cs('DescribeClusterNodePools'),
  DescribeClusterAttachScripts: cs('DescribeClusterAttachScripts'),
  DescribeKubernetesVersionMetadata: cs('DescribeKubernetesVersionMetadata'),
}

/** The role that ECS uses to manage provisioning groups. It is created at the first launch in an account. */
export const SERVICE_ROLE = {
  action: 'ram:CreateServiceLinkedRole',
  service: 'autoprovisioning.ecs.aliyuncs.com',
} as const

type Statement = PermissionStatement<AlibabaCapability, never>

/** Returns the RAM actions of each capability, in the order of the capabilities. */
export const ramStatements = (): readonly Statement[] => {
  const entries = Object.values(ramActions)
  return (Object.keys(alibabaCapabilities) as readonly AlibabaCapability[]).map((capability) => ({
    ...{ capability, name: capability, resources: [] },
    actions: entries
      .filter((each) => each.capability === capability)
      .flatMap(({ actions }) => actions)
      .toSorted(),
  }))
}

/** Returns every RAM action, with the capabilities that need it. */
export const neededRamActions = (): ReadonlyMap<string, readonly AlibabaCapability[]> =>
  permissionPurposes([...ramStatements(), { capability: 'launch', actions: [SERVICE_ROLE.action] }])
