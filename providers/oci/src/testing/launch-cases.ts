import type { NodeClaim, Taint } from '@kerf/apis'
import type { CommunityNodeClassSpec } from '../node-class/community-node-class.ts'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'
import { communitySpec as community, oracleSpec as oracle } from './type-cases.ts'

/** The inputs from which both public providers composed launch requests (`launch/upstream-launches.test.ts`). */

interface LaunchCase<Spec> {
  readonly spec: Spec
  readonly claim: Pick<NodeClaim, 'metadata' | 'spec'>
  /** The name of the instance type. */
  readonly type: string
  readonly nsgs: readonly string[]
}

const E4 = 'VM.Standard.E4.Flex'
const GROUP = 'ocid1.networksecuritygroup.oc1.phx.aaaanodes'
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const TAINTS: readonly Taint[] = [
  { key: 'team', value: 'a', effect: 'NoSchedule' },
  { key: 'empty', effect: 'PreferNoSchedule' },
]

const claim = (
  group: string,
  kind: string,
  capacityType: string,
  more: { readonly taints?: readonly Taint[]; readonly startupTaints?: readonly Taint[] } = {},
): Pick<NodeClaim, 'metadata' | 'spec'> => ({
  metadata: {
    name: 'default-abcde',
    labels: { 'karpenter.sh/nodepool': 'default', 'karpenter.sh/capacity-type': capacityType, 'example.com/a': 'b' },
  },
  spec: {
    nodeClassRef: { group, kind, name: 'default' },
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] }],
    ...more,
  },
})

const communityCase = (
  changes: Partial<CommunityNodeClassSpec>,
  more: Parameters<typeof claim>[3] = {},
  capacityType = 'on-demand',
): LaunchCase<CommunityNodeClassSpec> => ({
  spec: { ...community, ...changes },
  claim: claim('karpenter.k8s.oracle', 'OciNodeClass', capacityType, more),
  type: `${E4}.1o.8g`,
  nsgs: [GROUP],
})

export const communityLaunchCases: readonly LaunchCase<CommunityNodeClassSpec>[] = [
  communityCase({}),
  communityCase({}, { taints: TAINTS, startupTaints: [{ key: 'start', value: 'x', effect: 'NoExecute' }] }),
  communityCase({}, {}, 'preemptible'),
  communityCase({
    kubelet: {
      ...{ clusterDNS: ['10.1.0.10'], maxPods: 31, podsPerCore: 4, cpuCFSQuota: false },
      ...{ systemReserved: { cpu: '100m' }, kubeReserved: { memory: '1Gi' }, evictionHard: { 'pid.available': '5%' } },
      ...{ evictionSoft: { 'memory.available': '10%' }, evictionSoftGracePeriod: { 'memory.available': '1m30s' } },
      ...{ evictionMaxPodGracePeriod: 60, imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80 },
    },
  }),
  communityCase({ userData: '#!/bin/bash\necho first' }),
  communityCase({ imageFamily: 'Custom', userData: '#cloud-config\nhostname: a' }),
  communityCase({ imageFamily: 'Ubuntu2204', userData: 'install', preInstallScript: 'prepare' }),
  communityCase({ metaData: { 'oke-native-pod-networking': 'true', mine: 'yes' } }),
  communityCase({ definedTags: { ops: { owner: 'web', cost_centre: '1' } } }),
  communityCase({
    blockDevices: [
      { sizeInGBs: 50, vpusPerGB: 10 },
      { sizeInGBs: 100, vpusPerGB: 20 },
    ],
  }),
  communityCase({ agentList: ['Bastion', 'Compute Instance Monitoring'] }),
  communityCase({
    launchOptions: {
      ...{ bootVolumeType: 'PARAVIRTUALIZED', firmware: 'UEFI_64', networkType: 'VFIO' },
      ...{ remoteDataVolumeType: 'ISCSI', isConsistentVolumeNamingEnabled: true },
    },
  }),
]

const SPOT: Taint = { key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' }
const { bootVolumeConfig } = oracle.volumeConfig

const oracleCase = (
  changes: Partial<OracleNodeClassSpec>,
  more: Parameters<typeof claim>[3] = {},
  capacityType = 'on-demand',
): LaunchCase<OracleNodeClassSpec> => ({
  spec: { ...oracle, ...changes },
  claim: claim('oci.oraclecloud.com', 'OCINodeClass', capacityType, more),
  type: `${E4}.2o.16g.1_1b`,
  nsgs: [GROUP],
})

export const oracleLaunchCases: readonly LaunchCase<OracleNodeClassSpec>[] = [
  oracleCase({}),
  oracleCase({}, { taints: TAINTS, startupTaints: [{ key: 'start', value: 'x', effect: 'NoExecute' }] }),
  oracleCase({}, { taints: [SPOT] }, 'spot'),
  { ...oracleCase({}), nsgs: [] },
  { ...oracleCase({}), type: 'VM.Standard2.1' },
  {
    ...oracleCase({ shapeConfigs: [{ ocpus: 8, memoryInGbs: 32, baselineOcpuUtilization: 'BASELINE_1_2' }] }),
    type: `${E4}.8o.32g.1_2b`,
  },
  oracleCase({
    kubeletConfig: {
      ...{ clusterDNS: ['10.1.0.10', '10.1.0.11'], maxPods: 31, podsPerCore: 8, extraArgs: '--v=4' },
      ...{ systemReserved: { cpu: '100m' }, kubeReserved: { memory: '1Gi' }, evictionHard: { 'pid.available': '5%' } },
      ...{ evictionSoft: { 'memory.available': '10%' }, evictionSoftGracePeriod: { 'memory.available': '1m30s' } },
      ...{ evictionMaxPodGracePeriod: 60, imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80 },
      nodeLabels: { a: 'b' },
    },
  }),
  oracleCase({
    preBootstrapInitScript: base64('echo before'),
    postBootstrapInitScript: base64('echo after'),
    sshAuthorizedKeys: ['ssh-ed25519 a', 'ssh-ed25519 b'],
  }),
  oracleCase({ metadata: { user_data: base64('mine'), other: 'x' }, kubeletConfig: { clusterDNS: ['10.1.0.10'] } }),
  oracleCase({ definedTags: { ops: { owner: 'web' } }, freeformTags: { team: 'web' } }),
  oracleCase({
    volumeConfig: {
      bootVolumeConfig: {
        ...bootVolumeConfig,
        ...{ sizeInGBs: 200, vpusPerGB: 20, kmsKeyConfig: { kmsKeyId: 'ocid1.key' }, pvEncryptionInTransit: true },
      },
    },
  }),
  oracleCase({
    networkConfig: {
      primaryVnicConfig: {
        ...oracle.networkConfig.primaryVnicConfig,
        ...{ assignPublicIp: false, assignIpV6Ip: true, skipSourceDestCheck: false, vnicDisplayname: 'node' },
        securityAttributes: { zpr: { app: 'web' } },
        ipv6AddressIpv6SubnetCidrPairDetails: [{ ipv6SubnetCidr: '2001:db8::/64' }],
      },
      secondaryVnicConfigs: [{ ...oracle.networkConfig.primaryVnicConfig, ipCount: 16 }],
    },
  }),
  oracleCase({
    nodeCompartmentId: 'ocid1.compartment.oc1..other',
    launchOptions: { firmware: 'UEFI_64', networkType: 'VFIO', consistentVolumeNamingEnabled: false },
  }),
]
