import type { OciShape } from '../api/oci-shapes.ts'
import type { Baseline } from '../node-class/resolved-class.ts'
import type { ShapeFacts } from './shape-facts.ts'

const BASELINES: readonly Baseline[] = ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1']

const flexibleFacts = (shape: OciShape): Pick<ShapeFacts, 'flexible'> => {
  const { ocpuOptions, memoryOptions, maxVnicAttachmentOptions: vnics, networkingBandwidthOptions: bandwidth } = shape
  if (shape.isFlexible !== true || ocpuOptions === undefined || memoryOptions === undefined) return {}
  const { minPerOcpuInGBs = 0, maxPerOcpuInGBs = Number.POSITIVE_INFINITY, defaultPerOcpuInGBs } = memoryOptions
  return {
    flexible: {
      ocpus: { min: ocpuOptions.min ?? 1, max: ocpuOptions.max ?? 1 },
      memoryInGBs: { min: memoryOptions.minInGBs ?? 1, max: memoryOptions.maxInGBs ?? 1 },
      memoryPerOcpu: { min: minPerOcpuInGBs, max: maxPerOcpuInGBs },
      defaultMemoryPerOcpu: defaultPerOcpuInGBs,
      vnics:
        vnics === undefined
          ? undefined
          : { perOcpu: vnics.defaultPerOcpu ?? 1, min: vnics.min ?? 1, max: Math.min(vnics.max ?? 24, 24) },
      bandwidthInGbps:
        bandwidth === undefined
          ? undefined
          : {
              perOcpu: bandwidth.defaultPerOcpuInGbps ?? 1,
              min: bandwidth.minInGbps ?? 1,
              max: bandwidth.maxInGbps ?? 1,
            },
    },
  }
}

/** Returns the facts about a shape that ListShapes describes. */
export const apiShapeFacts = (shape: OciShape): ShapeFacts => ({
  name: shape.shape,
  ocpus: shape.ocpus ?? 0,
  memoryInGBs: shape.memoryInGBs ?? 0,
  ...flexibleFacts(shape),
  baselines: BASELINES.filter((each) => shape.baselineOcpuUtilizations?.includes(each) === true),
  maxVnics: shape.maxVnicAttachments,
  bandwidthInGbps: shape.networkingBandwidthInGbps,
  gpus: shape.gpus ?? 0,
  gpuDescription: shape.gpuDescription,
  localDisksInGBs: shape.localDisksTotalSizeInGBs ?? 0,
  isAlwaysFree: shape.billingType === 'ALWAYS_FREE',
})
