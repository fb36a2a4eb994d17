import type { Taint } from '@kerf/apis'
import type { OciShape } from '../api/oci-shapes.ts'
import type { ShapeFacts } from '../instance-types/shape-facts.ts'
import { isDenseIo, isGeneric } from '../instance-types/shape-facts.ts'
import type { CommunityNodeClassSpec } from '../node-class/community-node-class.ts'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'
import { knownShapes } from '../tables/known-shapes.ts'

/** The inputs from which both public providers computed instance types (`instance-types/upstream-types.test.ts`). */

/** The size of the local disks of a flexible DenseIO shape. */
const FLEXIBLE_DISK_GB = 6_800

const shapeOf = ({ name, flexible, ...facts }: ShapeFacts): OciShape => ({
  shape: name,
  ocpus: facts.ocpus,
  memoryInGBs: facts.memoryInGBs,
  isFlexible: flexible !== undefined,
  networkingBandwidthInGbps: facts.bandwidthInGbps ?? 1,
  maxVnicAttachments: facts.maxVnics ?? 2,
  gpus: facts.gpus,
  ...(facts.gpus > 0 ? { gpuDescription: 'NVIDIA® Tesla® V100' } : {}),
  localDisks: facts.localDisksInGBs > 0 ? 1 : 0,
  ...(facts.localDisksInGBs > 0 || isDenseIo(name)
    ? { localDisksTotalSizeInGBs: facts.localDisksInGBs || FLEXIBLE_DISK_GB }
    : {}),
  billingType: 'PAID',
  ...(flexible === undefined
    ? {}
    : {
        ocpuOptions: flexible.ocpus,
        memoryOptions: {
          ...{ minInGBs: flexible.memoryInGBs.min, maxInGBs: flexible.memoryInGBs.max },
          ...{ minPerOcpuInGBs: flexible.memoryPerOcpu.min, maxPerOcpuInGBs: flexible.memoryPerOcpu.max },
          defaultPerOcpuInGBs: flexible.defaultMemoryPerOcpu ?? 16,
        },
        maxVnicAttachmentOptions: { min: 2, max: 24, defaultPerOcpu: 1 },
        networkingBandwidthOptions: { minInGbps: 1, maxInGbps: 40, defaultPerOcpuInGbps: 1 },
        baselineOcpuUtilizations: [...facts.baselines],
      }),
})

const gpu = (shape: string, gpus: number, gpuDescription: string): OciShape => ({
  ...{ shape, ocpus: 112, memoryInGBs: 2_048, isFlexible: false, gpus, gpuDescription, billingType: 'PAID' },
  ...{ networkingBandwidthInGbps: 100, maxVnicAttachments: 32, localDisks: 0 },
})

/** The shapes of the cases in the format of ListShapes: those of the table with a known size, and two GPU shapes. */
export const shapesOfCases = (): readonly OciShape[] => [
  ...[...knownShapes.values()].filter(({ name, ocpus }) => ocpus > 0 && !isGeneric(name)).map(shapeOf),
  gpu('BM.GPU.A100-v2.8', 8, 'NVIDIA A100'),
  gpu('BM.GPU.MI300X.8', 8, 'AMD MI300X'),
]

export interface CommunityTypeCase {
  readonly spec: CommunityNodeClassSpec
  readonly memoryOverhead: number
  /** The values of FLEX_CPU_CONSTRAIN_LIST and FLEX_CPU_MEM_RATIOS. */
  readonly cpus: string
  readonly ratios: string
}

/** The OciNodeClass from which all cases start. */
export const communitySpec = {
  vcnId: 'ocid1.vcn.oc1.phx.aaaavcn',
  imageFamily: 'OracleOKELinux',
  imageSelector: [{ name: 'image' }],
  subnetSelector: [{ name: 'nodes' }],
  securityGroupSelector: [{ name: 'nodes' }],
  bootConfig: { bootVolumeSizeInGBs: 100, bootVolumeVpusPerGB: 10 },
} as const satisfies CommunityNodeClassSpec

export const communityTypeCases: readonly CommunityTypeCase[] = [
  { spec: communitySpec, memoryOverhead: 0, cpus: '1,2,x,4', ratios: '4' },
  {
    spec: {
      ...communitySpec,
      bootConfig: { bootVolumeSizeInGBs: 200, bootVolumeVpusPerGB: 20 },
      kubelet: {
        ...{ maxPods: 50, podsPerCore: 8, kubeReserved: { cpu: '1', memory: '2Gi' }, systemReserved: { cpu: '50m' } },
        evictionHard: { 'memory.available': '5%', 'nodefs.available': '20Gi' },
      },
    },
    ...{ memoryOverhead: 0.075, cpus: '2,64', ratios: '8' },
  },
  {
    spec: {
      ...communitySpec,
      metaData: { 'oke-native-pod-networking': 'true' },
      kubelet: { evictionHard: { 'memory.available': '100%' }, evictionSoft: {}, evictionSoftGracePeriod: {} },
    },
    ...{ memoryOverhead: 0, cpus: '1,8', ratios: '2' },
  },
]

export interface OracleTypeCase {
  readonly spec: OracleNodeClassSpec
  readonly taints: readonly Taint[]
}

const subnetConfig = { subnetId: 'ocid1.subnet.oc1.phx.aaaanodes' }
/** The OCINodeClass from which all cases start. */
export const oracleSpec = {
  shapeConfigs: [
    { ocpus: 2, memoryInGbs: 16 },
    { ocpus: 4, memoryInGbs: 8 },
  ],
  volumeConfig: {
    bootVolumeConfig: {
      imageConfig: { imageType: 'OKEImage', imageId: 'ocid1.image.oc1.phx.aaaaolx86' },
      sizeInGBs: 100,
    },
  },
  networkConfig: { primaryVnicConfig: { subnetConfig } },
} as const satisfies OracleNodeClassSpec

const taint = (key: string): Taint => ({ key, effect: 'NoSchedule' })

export const oracleTypeCases: readonly OracleTypeCase[] = [
  { spec: oracleSpec, taints: [] },
  {
    spec: {
      ...oracleSpec,
      shapeConfigs: [
        { ocpus: 8, baselineOcpuUtilization: 'BASELINE_1_8' },
        { ocpus: 1, memoryInGbs: 4 },
        { ocpus: 16 },
      ],
      volumeConfig: { bootVolumeConfig: { imageConfig: oracleSpec.volumeConfig.bootVolumeConfig.imageConfig } },
      kubeletConfig: {
        ...{ maxPods: 40, podsPerCore: 6 },
        systemReserved: { memory: '1Gi' },
        kubeReserved: { cpu: '1' },
      },
    },
    taints: [taint('nvidia.com/gpu'), taint('oci.oraclecloud.com/oke-is-preemptible')],
  },
  {
    spec: {
      ...oracleSpec,
      networkConfig: {
        primaryVnicConfig: { subnetConfig },
        secondaryVnicConfigs: [{ subnetConfig, ipCount: 16 }, { subnetConfig }],
      },
    },
    taints: [taint('oci.oraclecloud.com/oke-is-preemptible')],
  },
]
