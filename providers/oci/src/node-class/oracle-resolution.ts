import { kubeletSettings } from './kubelet-settings.ts'
import { oracleHash } from './oracle-hash.ts'
import type { OracleNodeClass, OracleNodeClassSpec, OracleNodeClassStatus } from './oracle-node-class.ts'
import type { ResolvedClass, ResolvedPlacement, ResolvedVnic, SecondaryVnic } from './resolved-class.ts'

type Network = OracleNodeClassSpec['networkConfig']
type VnicSpec = Network['primaryVnicConfig']
type SecondarySpec = NonNullable<Network['secondaryVnicConfigs']>[number]
type VnicStatus = NonNullable<NonNullable<OracleNodeClassStatus['network']>['primaryVnic']>

const vnic = (spec: Partial<VnicSpec> = {}, status: VnicStatus = {}): ResolvedVnic => {
  const { subnetId, displayName } = status.subnet ?? {}
  return {
    subnets: subnetId === undefined ? [] : [{ id: subnetId, name: displayName }],
    nsgIds: (status.networkSecurityGroups ?? []).flatMap(({ networkSecurityGroupId }) => networkSecurityGroupId ?? []),
    displayName: spec.vnicDisplayname,
    assignPublicIp: spec.assignPublicIp,
    assignIpv6Ip: spec.assignIpV6Ip,
    skipSourceDestCheck: spec.skipSourceDestCheck,
    securityAttributes: spec.securityAttributes ?? {},
    ipv6SubnetCidrs: (spec.ipv6AddressIpv6SubnetCidrPairDetails ?? []).flatMap(
      ({ ipv6SubnetCidr }) => ipv6SubnetCidr ?? [],
    ),
  }
}

const secondaryVnic = (spec: SecondarySpec, status: VnicStatus | undefined): SecondaryVnic => ({
  ...vnic(spec, status),
  ipCount: spec.ipCount,
  nicIndex: spec.nicIndex,
  applicationResource: spec.applicationResource,
})

const placement = (
  id: string | undefined,
  { displayName, availabilityDomain = '' }: { readonly displayName?: string; readonly availabilityDomain?: string },
): readonly ResolvedPlacement[] => (id === undefined ? [] : [{ id, name: displayName, availabilityDomain }])

/** Translates an OCINodeClass. */
export const resolveOracleClass = (nodeClass: OracleNodeClass): ResolvedClass => {
  const { metadata, status = {} } = nodeClass
  const spec: Partial<OracleNodeClassSpec> = nodeClass.spec ?? {}
  const boot = spec.volumeConfig?.bootVolumeConfig
  const { network } = status
  return {
    upstream: 'oracle',
    name: metadata.name,
    uid: metadata.uid ?? '',
    isDeleting: metadata.deletionTimestamp !== undefined,
    hash: oracleHash.of(nodeClass),
    hashVersion: oracleHash.version,
    compartmentId: spec.nodeCompartmentId,
    bootstrap: {
      form: 'oke-script',
      preBootstrapInitScript: spec.preBootstrapInitScript,
      postBootstrapInitScript: spec.postBootstrapInitScript,
    },
    images: (status.volume?.images ?? []).flatMap(({ imageId, displayName }) =>
      imageId === undefined ? [] : [{ id: imageId, name: displayName, requirements: [] }],
    ),
    primaryVnic: vnic(spec.networkConfig?.primaryVnicConfig, network?.primaryVnic),
    secondaryVnics: (spec.networkConfig?.secondaryVnicConfigs ?? []).map((each, index) =>
      secondaryVnic(each, network?.secondaryVnics?.[index]),
    ),
    bootVolume: {
      sizeInGBs: boot?.sizeInGBs,
      vpusPerGB: boot?.vpusPerGB,
      kmsKeyId: boot?.kmsKeyConfig?.kmsKeyId,
      pvEncryptionInTransit: boot?.pvEncryptionInTransit,
    },
    dataVolumes: [],
    launchOptions:
      spec.launchOptions === undefined
        ? undefined
        : {
            bootVolumeType: spec.launchOptions.bootVolumeType,
            remoteDataVolumeType: spec.launchOptions.remoteDataVolumeType,
            firmware: spec.launchOptions.firmware,
            networkType: spec.launchOptions.networkType,
            isConsistentVolumeNamingEnabled: spec.launchOptions.consistentVolumeNamingEnabled,
          },
    agentPlugins: [],
    definedTags: spec.definedTags ?? {},
    freeformTags: spec.freeformTags ?? {},
    metadata: spec.metadata ?? {},
    sshAuthorizedKeys: spec.sshAuthorizedKeys ?? [],
    kubelet: kubeletSettings(spec.kubeletConfig),
    shapeSizes: spec.shapeConfigs?.map(({ ocpus, memoryInGbs, baselineOcpuUtilization }) => ({
      ocpus,
      memoryInGBs: memoryInGbs,
      baseline: baselineOcpuUtilization,
    })),
    capacityReservations: (status.capacityReservations ?? []).flatMap((each) =>
      placement(each.capacityReservationId, each),
    ),
    placementGroups: (status.clusterPlacementGroups ?? []).flatMap((each) =>
      placement(each.clusterPlacementGroupId, each),
    ),
    computeCluster:
      status.computeCluster === undefined
        ? undefined
        : placement(status.computeCluster.ComputeClusterId, status.computeCluster)[0],
  }
}
