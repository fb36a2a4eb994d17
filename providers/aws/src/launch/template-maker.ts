import { type CapacityType, labels, type NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import { defineMetrics, type Logger, type Metrics } from '@kerf/runtime'
import type { Cluster } from '../discovery/cluster.ts'
import type { PlacementGroups } from '../discovery/placement-groups.ts'
import { awsResources } from '../labels.ts'
import { nodeClassAmiFamily } from '../node-class/ami-family.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { setKubeletFields, settleKubelet } from '../node-class/kubelet-fields.ts'
import { makeLaunchTags } from '../node-class/reserved-tags.ts'
import { unusedKubeletFields } from '../node-class/validate-kubelet.ts'
import { bootstrapLabels, bootstrapTaints } from '../user-data/bootstrap.ts'
import { bottlerocketVersion } from '../user-data/bottlerocket.ts'
import { buildUserData, USER_DATA_LIMIT_BYTES, type UserData } from '../user-data/user-data.ts'
import type { LaunchTemplateRef, LaunchTemplates } from './launch-templates.ts'
import { templateData } from './template-data.ts'
import type { TemplateGroup } from './template-groups.ts'

/** The inputs that all templates of one launch share. */
export interface TemplateLaunch {
  readonly claim: NodeClaim
  readonly nodeClass: EC2NodeClass
  readonly capacityType: CapacityType
  readonly tenancy: 'default' | 'dedicated'
  readonly partition: string | undefined
}

const NEARLY_FULL = 0.9 * USER_DATA_LIMIT_BYTES

export const userDataMetrics = defineMetrics({
  bytes: {
    name: 'karpenter_ec2nodeclasses_userdata_bytes',
    type: 'gauge',
    help: 'Size of the last rendered user data; the limit of EC2 is 16384 bytes.',
    labels: ['nodeclass'],
  },
})

/** Creates the launch templates that launches use, including user data and tags (`providers/aws/docs/spec/aws.md`). */
export class TemplateMaker {
  readonly #cluster: Cluster
  readonly #groups: PlacementGroups
  readonly #templates: LaunchTemplates
  readonly #log: Logger
  readonly #bytes
  readonly #options: { readonly region: string; readonly reservedCapacity: boolean }

  constructor(
    deps: {
      readonly cluster: Cluster
      readonly groups: PlacementGroups
      readonly templates: LaunchTemplates
      readonly log: Logger
      readonly metrics: Metrics
    },
    options: { readonly region: string; readonly reservedCapacity: boolean },
  ) {
    this.#cluster = deps.cluster
    this.#groups = deps.groups
    this.#templates = deps.templates
    this.#log = deps.log
    this.#options = options
    this.#bytes = userDataMetrics.register(deps.metrics).bytes
  }

  /** Returns the tags of everything that a launch for the NodeClaim creates. */
  tags({ claim, nodeClass }: Pick<TemplateLaunch, 'claim' | 'nodeClass'>): Readonly<Record<string, string>> {
    return makeLaunchTags(nodeClass.spec.tags, {
      clusterName: this.#cluster.name,
      nodePool: claim.metadata.labels?.[labels.nodePool] ?? '',
      nodeClass: nodeClass.metadata.name,
    })
  }

  /** Returns the template of the group. Creates it if necessary. */
  async ensure(group: TemplateGroup, launch: TemplateLaunch, signal: AbortSignal): Promise<LaunchTemplateRef> {
    const { claim, nodeClass, capacityType, tenancy, partition } = launch
    const { spec, status } = nodeClass
    const profile = status?.instanceProfile ?? ''
    if (profile === '')
      throw new CreateError(
        'InstanceProfileMissing',
        `EC2NodeClass ${nodeClass.metadata.name} has no instance profile yet`,
      )
    const { userData, isIpv6 } = await this.#userData(group, launch, signal)
    const tags = this.tags(launch)
    const placement = await this.#groups.need(spec.placementGroupSelector, signal)
    const data = templateData({
      spec,
      family: nodeClassAmiFamily(spec),
      imageId: group.image.id,
      instanceProfile: profile,
      securityGroups: (status?.securityGroups ?? []).map(({ id }) => id),
      userData: userData.base64,
      tags,
      isIpv6,
      region: this.#options.region,
      capacityType,
      tenancy,
      efaCount: (spec.networkInterfaces ?? []).length > 0 ? 0 : group.efaCount,
      enclave: claim.spec.resources?.requests?.[awsResources.nitroSandbox] !== undefined,
      reservedCapacity: this.#options.reservedCapacity,
      ...(placement === undefined
        ? {}
        : { placement: { groupId: placement.id, ...(partition === undefined ? {} : { partition }) } }),
      ...(group.reservation === undefined ? {} : { reservation: group.reservation }),
    })
    return this.#templates.ensure(data, tags, signal)
  }

  /** Removes the metrics of a deleted node class. */
  forget(nodeClass: string): void {
    this.#bytes.remove({ nodeclass: nodeClass })
  }

  async #userData(
    { pods }: TemplateGroup,
    { claim, nodeClass, capacityType }: TemplateLaunch,
    signal: AbortSignal,
  ): Promise<{ readonly userData: UserData; readonly isIpv6: boolean }> {
    const { spec } = nodeClass
    const family = nodeClassAmiFamily(spec)
    const view = await this.#cluster.view(signal)
    const serviceCidr = family === 'AL2023' ? await this.#cluster.serviceCidr(signal) : undefined
    const imageVersion = family === 'Bottlerocket' ? bottlerocketVersion(nodeClass) : undefined
    const userData = buildUserData(family, {
      cluster: { ...view, ...(serviceCidr === undefined ? {} : { serviceCidr }) },
      labels: bootstrapLabels(claim.metadata.labels ?? {}, capacityType, family),
      taints: bootstrapTaints(claim.spec),
      kubelet: spec.kubelet,
      settled: settleKubelet(setKubeletFields(spec.kubelet), { podCapacity: pods, clusterDNS: view.dns }),
      raid0: spec.instanceStorePolicy === 'RAID0',
      ...(spec.userData === undefined ? {} : { custom: spec.userData }),
      ...(imageVersion === undefined ? {} : { imageVersion }),
    })
    this.#note(nodeClass, userData)
    return { userData, isIpv6: view.isIpv6 }
  }

  #note(nodeClass: EC2NodeClass, { bytes, remarks }: UserData): void {
    const EC2NodeClass = { name: nodeClass.metadata.name }
    this.#bytes.set(bytes, { nodeclass: EC2NodeClass.name })
    if (bytes > NEARLY_FULL)
      this.#log.warn('user data is close to the limit of EC2', { EC2NodeClass, bytes, limit: USER_DATA_LIMIT_BYTES })
    const unused = unusedKubeletFields(nodeClassAmiFamily(nodeClass.spec), nodeClass.spec.kubelet)
    for (const remark of [...remarks, ...unused])
      this.#log.warn('a field of the node class has no effect', { EC2NodeClass, remark })
  }
}
