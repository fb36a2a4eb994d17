import type { OciShape } from '../../api/oci-shapes.ts'

const flexible = (
  shape: string,
  most: { readonly ocpus: number; readonly memory: number },
  more: object = {},
): OciShape => ({
  shape,
  ocpus: 1,
  memoryInGBs: 16,
  isFlexible: true,
  networkingBandwidthInGbps: 1,
  maxVnicAttachments: 2,
  gpus: 0,
  localDisks: 0,
  ocpuOptions: { min: 1, max: most.ocpus },
  memoryOptions: {
    minInGBs: 1,
    maxInGBs: most.memory,
    defaultPerOcpuInGBs: 16,
    minPerOcpuInGBs: 1,
    maxPerOcpuInGBs: 64,
  },
  networkingBandwidthOptions: { minInGbps: 1, maxInGbps: 40, defaultPerOcpuInGbps: 1 },
  maxVnicAttachmentOptions: { min: 2, max: 24, defaultPerOcpu: 1 },
  baselineOcpuUtilizations: ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1'],
  billingType: 'PAID',
  ...more,
})

const fixed = (shape: string, ocpus: number, memoryInGBs: number, more: object = {}): OciShape => ({
  shape,
  ocpus,
  memoryInGBs,
  isFlexible: false,
  networkingBandwidthInGbps: ocpus,
  maxVnicAttachments: Math.max(2, ocpus),
  gpus: 0,
  localDisks: 0,
  billingType: 'PAID',
  ...more,
})

/** The shapes that the fake offers, in the format of ListShapes. */
export const fakeShapes: readonly OciShape[] = [
  flexible('VM.Standard.E4.Flex', { ocpus: 64, memory: 1_024 }),
  flexible('VM.Standard.E5.Flex', { ocpus: 94, memory: 1_049 }),
  flexible('VM.Standard.A1.Flex', { ocpus: 80, memory: 512 }, { baselineOcpuUtilizations: undefined }),
  fixed('VM.Standard2.1', 1, 15),
  fixed('VM.Standard2.4', 4, 60),
  fixed('VM.GPU.A10.1', 15, 240, { gpus: 1, gpuDescription: 'NVIDIA A10' }),
  fixed('BM.Standard.E4.128', 128, 2_048, { maxVnicAttachments: 256 }),
].map((shape) => JSON.parse(JSON.stringify(shape)))
