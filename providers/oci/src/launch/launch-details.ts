import type { NodeClaim } from '@kerf/apis'
import { capacityTypes, labels } from '@kerf/apis'
import { singleValue } from '@kerf/provider-contract'
import type { LaunchOption } from '@kerf/provider-kit'
import type { LaunchDetails, LaunchVolume, VnicDetails } from '../api/launch-details.ts'
import type { SizedShape } from '../instance-types/sized-shape.ts'
import { launchTags, type Ownership } from '../instances/tags.ts'
import { oracleLabels, PREEMPTIBLE } from '../names.ts'
import type { ResolvedClass, ResolvedLaunchOptions } from '../node-class/resolved-class.ts'

/** The inputs of a launch request. */
export interface LaunchPlan {
  readonly claim: NodeClaim
  readonly nodeClass: ResolvedClass
  readonly option: LaunchOption
  readonly size: SizedShape
  readonly compartmentId: string
  /** The full name with the tenancy's prefix. */
  readonly availabilityDomain: string
  readonly imageId: string
  readonly subnetId: string
  readonly metadata: Readonly<Record<string, string>>
}

/** Returns whether an option is a preemptible instance, which Oracle Cloud may reclaim. */
export const isPreemptible = ({ upstream }: Pick<ResolvedClass, 'upstream'>, { offering }: LaunchOption): boolean =>
  singleValue(offering.requirements, labels.capacityType) === PREEMPTIBLE[upstream]

/** Removes fields that the class does not set, so that the API's defaults apply. */
const given = <T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }

const vnicDetails = ({ upstream, primaryVnic }: ResolvedClass, subnetId: string): VnicDetails => {
  const { nsgIds, securityAttributes, ipv6SubnetCidrs, displayName, assignPublicIp, assignIpv6Ip } = primaryVnic
  // By default, nodes of an OCINodeClass forward the packets of pods.
  const skipSourceDestCheck = primaryVnic.skipSourceDestCheck ?? (upstream === 'oracle' ? true : undefined)
  return {
    subnetId,
    ...(nsgIds.length === 0 ? {} : { nsgIds }),
    ...given({ displayName, assignPublicIp, assignIpv6Ip, skipSourceDestCheck }),
    ...(Object.keys(securityAttributes).length === 0 ? {} : { securityAttributes }),
    ...(ipv6SubnetCidrs.length === 0
      ? {}
      : { ipv6AddressIpv6SubnetCidrPairDetails: ipv6SubnetCidrs.map((ipv6SubnetCidr) => ({ ipv6SubnetCidr })) }),
  }
}

const volumes = ({ dataVolumes }: ResolvedClass): readonly LaunchVolume[] =>
  dataVolumes.map(({ sizeInGBs, vpusPerGB }) => ({
    type: 'iscsi',
    launchCreateVolumeDetails: { volumeCreationType: 'ATTRIBUTES', sizeInGBs, vpusPerGB },
  }))

const launchOptions = (options: ResolvedLaunchOptions | undefined): Pick<LaunchDetails, 'launchOptions'> => {
  const set = given({ ...options })
  return Object.keys(set).length === 0 ? {} : { launchOptions: set }
}

/** Returns the reservation, cluster or group in which the instance is launched. */
const placement = ({ nodeClass, option, availabilityDomain }: LaunchPlan): Partial<LaunchDetails> => {
  const { capacityReservations, computeCluster, placementGroups } = nodeClass
  const wanted = singleValue(option.offering.requirements, oracleLabels.reservationId)
  const isReserved = singleValue(option.offering.requirements, labels.capacityType) === capacityTypes.reserved
  const reservation = isReserved ? capacityReservations.find(({ id }) => id.endsWith(wanted ?? '')) : undefined
  const group = placementGroups.find((each) => each.availabilityDomain === availabilityDomain)
  return given({
    capacityReservationId: reservation?.id,
    computeClusterId: computeCluster?.id,
    clusterPlacementGroupId: group?.id,
  })
}

/** Returns the fault domain that the reservation or the NodeClaim requires. If neither requires one, Oracle Cloud chooses it. */
const faultDomain = ({ claim, option }: LaunchPlan): string | undefined =>
  singleValue(option.offering.requirements, oracleLabels.faultDomain) ??
  singleValue(claim.spec.requirements, oracleLabels.faultDomain)

const shapeConfig = ({ facts, ocpus, memoryInGBs, baseline }: SizedShape): Pick<LaunchDetails, 'shapeConfig'> =>
  facts.flexible === undefined
    ? {}
    : {
        shapeConfig: {
          ...{ ocpus, memoryInGBs },
          ...(baseline === undefined || baseline === 'BASELINE_1_1' ? {} : { baselineOcpuUtilization: baseline }),
        },
      }

/** Returns the request that launches one instance (`providers/oci/docs/spec/oci.md#launch`). */
export const launchDetails = (plan: LaunchPlan, ownership: Ownership): LaunchDetails => {
  const { claim, nodeClass, size, compartmentId, availabilityDomain, imageId, subnetId, metadata } = plan
  const { bootVolume, agentPlugins } = nodeClass
  const attached = volumes(nodeClass)
  return {
    ...{ availabilityDomain, compartmentId, displayName: claim.metadata.name, shape: size.facts.name, metadata },
    ...given({ faultDomain: faultDomain(plan) }),
    ...shapeConfig(size),
    sourceDetails: {
      ...{ sourceType: 'image', imageId },
      ...given({
        bootVolumeSizeInGBs: bootVolume.sizeInGBs,
        bootVolumeVpusPerGB: bootVolume.vpusPerGB,
        kmsKeyId: bootVolume.kmsKeyId,
      }),
    },
    createVnicDetails: vnicDetails(nodeClass, subnetId),
    instanceOptions: { areLegacyImdsEndpointsDisabled: true },
    ...given({ isPvEncryptionInTransitEnabled: bootVolume.pvEncryptionInTransit }),
    ...launchOptions(nodeClass.launchOptions),
    ...(attached.length === 0 ? {} : { launchVolumeAttachments: attached }),
    ...(agentPlugins.length === 0
      ? {}
      : { agentConfig: { pluginsConfig: agentPlugins.map((name) => ({ name, desiredState: 'ENABLED' as const })) } }),
    ...(isPreemptible(nodeClass, plan.option)
      ? { preemptibleInstanceConfig: { preemptionAction: { type: 'TERMINATE', preserveBootVolume: false } } }
      : {}),
    ...placement(plan),
    ...launchTags(claim, nodeClass, ownership),
  }
}
