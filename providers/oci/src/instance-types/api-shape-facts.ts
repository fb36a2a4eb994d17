import type { OciShape } from '../api/oci-shapes.ts'
import type { Baseline } from '../node-class/resolved-class.ts'
import type { PerOcpu, ShapeFacts } from './shape-facts.ts'

const BASELINES: readonly Baseline[] = ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1']

const perOcpu = (min: number | undefined, max: number | undefined, each: number | undefined): PerOcpu | undefined =>
  max === undefined || each === undefined ? undefined : { perOcpu: each, min: min ?? 0, max }

/** The highest number of VNICs of a virtual machine. */
const MOST_VNICS = 24

/** Limits that are never reached. The API omits limits that do not exist. */
const NO_BOUNDS = { min: 0, max: Number.MAX_SAFE_INTEGER }

const flexible = (shape: OciShape): Pick<ShapeFacts, 'flexible'> => {
  if (shape.isFlexible !== true) return {}
  const { ocpuOptions, memoryOptions, maxVnicAttachmentOptions: vnics, networkingBandwidthOptions: network } = shape
  return {
    flexible: {
      ocpus: { min: ocpuOptions?.min ?? NO_BOUNDS.min, max: ocpuOptions?.max ?? NO_BOUNDS.max },
      memoryInGBs: {
        min: memoryOptions?.minInGBs ?? NO_BOUNDS.min,
        max: memoryOptions?.maxInGBs ?? NO_BOUNDS.max,
      },
      memoryPerOcpu: {
        min: memoryOptions?.minPerOcpuInGBs ?? NO_BOUNDS.min,
        max: memoryOptions?.maxPerOcpuInGBs ?? NO_BOUNDS.max,
      },
      defaultMemoryPerOcpu: memoryOptions?.defaultPerOcpuInGBs,
      vnics: perOcpu(
        vnics?.min,
        vnics?.max === undefined ? undefined : Math.min(vnics.max, MOST_VNICS),
        vnics?.defaultPerOcpu,
      ),
      bandwidthInGbps: perOcpu(network?.minInGbps, network?.maxInGbps, network?.defaultPerOcpuInGbps),
    },
  }
}

/** Converts a shape from ListShapes. */
export const apiShapeFacts = (shape: OciShape): ShapeFacts => ({
  name: shape.shape,
  ocpus: shape.ocpus ?? 0,
  memoryInGBs: shape.memoryInGBs ?? 0,
  ...flexible(shape),
  baselines: BASELINES.filter((each) => each === 'BASELINE_1_1' || shape.baselineOcpuUtilizations?.includes(each)),
  maxVnics: shape.maxVnicAttachments,
  bandwidthInGbps: shape.networkingBandwidthInGbps,
  gpus: shape.gpus ?? 0,
  gpuDescription: shape.gpuDescription,
  localDisksInGBs: shape.localDisksTotalSizeInGBs ?? 0,
  isAlwaysFree: shape.billingType === 'ALWAYS_FREE',
})
