import {
  type FieldHash,
  hashEntries,
  hashField,
  hashFloat32,
  hashGiven,
  hashMap,
  hashSet,
  hashStruct,
  hashText,
} from '@kerf/apis'
import type { NodeClassHash } from '@kerf/provider-contract'
import { kubeletHashFields } from '@kerf/provider-kit'
import type { OracleNodeClass, OracleNodeClassSpec } from './oracle-node-class.ts'

const { text, flag, int64 } = hashField
const float32 = (value: number | undefined): FieldHash => hashGiven(value, hashFloat32)
const namespaced = (value: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined): FieldHash =>
  hashEntries(value, (texts) => hashMap(texts) ?? 0n)

type Network = OracleNodeClassSpec['networkConfig']
type Vnic = Network['primaryVnicConfig']
type SecondaryVnic = NonNullable<Network['secondaryVnicConfigs']>[number]
type Kubelet = NonNullable<OracleNodeClassSpec['kubeletConfig']>

/**
 * Hashes the network interface fields whose change requires a new instance. Excludes subnets and security groups, because Kerf compares
 * them with the instance.
 */
const hashVnic = (vnic: Vnic): bigint =>
  hashStruct('SimpleVnicConfig', [
    ['AssignIpV6Ip', flag(vnic.assignIpV6Ip)],
    ['AssignPublicIp', flag(vnic.assignPublicIp)],
    [
      'Ipv6AddressIpv6SubnetCidrPairDetails',
      hashSet(vnic.ipv6AddressIpv6SubnetCidrPairDetails, ({ ipv6SubnetCidr = '' }) =>
        hashStruct('Ipv6AddressIpv6SubnetCidrPairDetails', [
          ['SubnetCidr', ipv6SubnetCidr === '' ? undefined : hashText(ipv6SubnetCidr)],
        ]),
      ),
    ],
    ['SkipSourceDestCheck', flag(vnic.skipSourceDestCheck)],
    ['SecurityAttributes', namespaced(vnic.securityAttributes)],
  ])

const isPlain = (vnic: Vnic): boolean =>
  vnic.assignIpV6Ip === undefined &&
  vnic.assignPublicIp === undefined &&
  vnic.ipv6AddressIpv6SubnetCidrPairDetails === undefined &&
  vnic.skipSourceDestCheck === undefined &&
  vnic.securityAttributes === undefined

const hashSecondaryVnic = (vnic: SecondaryVnic): bigint =>
  hashStruct('SecondaryVnicConfig', [
    // An embedded struct without any field counts as a zero value.
    ['SimpleVnicConfig', isPlain(vnic) ? undefined : hashVnic(vnic)],
    ['ApplicationResource', text(vnic.applicationResource)],
    ['IpCount', int64(vnic.ipCount)],
    ['NicIndex', int64(vnic.nicIndex)],
  ])

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['ClusterDNS', hashSet(kubelet.clusterDNS, hashText)],
    ['ExtraArgs', text(kubelet.extraArgs)],
    ['NodeLabels', hashMap(kubelet.nodeLabels)],
    ...kubeletHashFields(kubelet),
  ])

const hashSpec = (spec: Partial<OracleNodeClassSpec>): bigint =>
  hashStruct('OCINodeClassSpec', [
    [
      'ShapeConfigs',
      hashSet(spec.shapeConfigs ?? [], ({ baselineOcpuUtilization, ocpus, memoryInGbs }) =>
        hashStruct('ShapeConfig', [
          ['BaselineOcpuUtilization', text(baselineOcpuUtilization)],
          ['Ocpus', float32(ocpus)],
          ['MemoryInGbs', float32(memoryInGbs)],
        ]),
      ),
    ],
    ['NodeCompartmentId', text(spec.nodeCompartmentId)],
    [
      'NetworkConfig',
      hashStruct('NetworkConfig', [
        ['PrimaryVnicConfig', hashVnic(spec.networkConfig?.primaryVnicConfig ?? { subnetConfig: {} })],
        ['SecondaryVnicConfigs', hashSet(spec.networkConfig?.secondaryVnicConfigs ?? [], hashSecondaryVnic)],
      ]),
    ],
    ['Metadata', hashMap(spec.metadata)],
    ['FreeformTags', hashMap(spec.freeformTags)],
    ['DefinedTags', namespaced(spec.definedTags)],
    ['KubeletConfig', hashGiven(spec.kubeletConfig, hashKubelet)],
    ['PreBootstrapInitScript', text(spec.preBootstrapInitScript)],
    ['PostBootstrapInitScript', text(spec.postBootstrapInitScript)],
    ['SshAuthorizedKeys', hashSet(spec.sshAuthorizedKeys, hashText)],
  ])

/**
 * The hash of an OCINodeClass, equal to that of oracle/karpenter-provider-oci (`providers/oci/docs/spec/oci.md#hashes`). It covers the
 * fields that Kerf does not compare with the instance itself. Lists are hashed as sets.
 */
export const oracleHash: NodeClassHash<OracleNodeClass> = {
  version: 'v1',
  of: ({ spec = {} }: { readonly spec?: Partial<OracleNodeClassSpec> }) => hashSpec(spec).toString(),
}
