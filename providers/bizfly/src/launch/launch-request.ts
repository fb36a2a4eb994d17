import { labels, type NodeClaim } from '@kerf/apis'
import { areCompatible, offeringCoordinates } from '@kerf/provider-contract'
import type { LaunchOption } from '@kerf/provider-kit'
import type { ServerRequest } from '../api/bizfly-api.ts'
import { osTypes } from '../instance-types/instance-types.ts'
import { bizflyLabels, METADATA } from '../names.ts'
import type { BizflyCloudNodeClass } from '../node-class/bizfly-node-class.ts'
import { tagMetadata } from '../node-class/class-problems.ts'
import { DEFAULT_DISK_SIZE } from '../node-class/hash.ts'

/** The data with which servers join the cluster (`providers/bizfly/docs/spec/bizfly.md#bootstrap`). */
export interface ClusterJoin {
  readonly clusterId: string
  readonly clusterToken: string
  readonly joinEndpoint: string
  readonly logEndpoint: string
}

/** The values that a launch selects from the lists of the class. */
export interface LaunchChoice {
  readonly diskType: string
  readonly networkPlan: string
  readonly osType: string
}

/** The script in the worker images that joins the cluster. It reads the metadata of the server. */
const USER_DATA = '#!/bin/bash\n/opt/bizfly-kubernetes-engine/bootstrap.sh'

/** Returns the first value that the claim allows, or undefined if there is none. */
const admitted = ({ spec }: NodeClaim, key: string, values: readonly string[]): string | undefined =>
  values.find((value) => areCompatible(spec.requirements, [{ key, operator: 'In', values: [value] }]))

/**
 * Returns the choice for a claim: from each list of the class, the first value that the claim allows. Returns undefined if a list has no
 * such value.
 */
export const launchChoice = (
  claim: NodeClaim,
  { spec }: Pick<BizflyCloudNodeClass, 'spec'>,
): LaunchChoice | undefined => {
  const diskType = admitted(claim, bizflyLabels.diskType, spec?.diskTypes ?? [])
  const networkPlan = admitted(claim, bizflyLabels.networkPlan, spec?.networkPlans ?? [])
  const osType = admitted(claim, bizflyLabels.osType, osTypes(spec?.osType))
  return diskType === undefined || networkPlan === undefined || osType === undefined
    ? undefined
    : { diskType, networkPlan, osType }
}

/** Returns the labels for the chosen values. */
export const choiceLabels = ({ diskType, networkPlan, osType }: LaunchChoice): Readonly<Record<string, string>> => ({
  [bizflyLabels.diskType]: diskType,
  [bizflyLabels.networkPlan]: networkPlan,
  [bizflyLabels.osType]: osType,
})

/** Returns the request that launches one server (`providers/bizfly/docs/spec/bizfly.md#create`). */
export const launchRequest = (
  claim: NodeClaim,
  { spec }: BizflyCloudNodeClass,
  option: LaunchOption,
  {
    choice,
    image,
    version,
    join,
  }: {
    readonly choice: LaunchChoice
    readonly image: string
    /** The Kubernetes version in the server's metadata. */
    readonly version: string
    readonly join: ClusterJoin
  },
): ServerRequest => {
  const { vpcNetworkIds = [], securityGroups = [], sshKeyName = '', rootDiskSize = DEFAULT_DISK_SIZE } = spec ?? {}
  const { instanceType, zone } = offeringCoordinates(option.type, option.offering)
  const category = option.type.requirements.find(({ key }) => key === bizflyLabels.category)?.values?.[0]
  return {
    name: claim.metadata.name,
    flavor: instanceType,
    ...(sshKeyName === '' ? {} : { sshkey: sshKeyName }),
    password: true,
    rootdisk: { size: rootDiskSize, type: choice.diskType },
    type: category ?? '',
    availability_zone: zone,
    os: { id: image, type: 'image' },
    quantity: 1,
    ...(securityGroups.length === 0 ? {} : { firewalls: securityGroups.map(({ securityGroupID }) => securityGroupID) }),
    network_plan: choice.networkPlan,
    vpc_network_ids: vpcNetworkIds,
    billing_plan: 'on_demand',
    is_created_wan: true,
    user_data: USER_DATA,
    metadata: {
      ...tagMetadata(spec?.tags ?? []),
      bizfly_cloud_service: 'kubernetes_engine',
      [METADATA.cluster]: join.clusterId,
      bke_cluster_token: join.clusterToken,
      bke_join_endpoint: join.joinEndpoint,
      bke_log_endpoint: join.logEndpoint,
      kubernetes_version: version,
      bke_node_everywhere: 'false',
      bke_node_localdns: 'false',
      bke_node_network_id: vpcNetworkIds[0] ?? '',
      [METADATA.managed]: 'true',
      [METADATA.nodePool]: claim.metadata.labels?.[labels.nodePool] ?? '',
      [METADATA.nodeClaim]: claim.metadata.name,
      [METADATA.nodeClaimUid]: claim.metadata.uid ?? '',
      [METADATA.image]: image,
    },
  }
}
