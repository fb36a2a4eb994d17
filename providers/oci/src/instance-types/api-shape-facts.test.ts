import { expect, test } from 'vitest'
import { communityClass, typeSettings } from '../testing/type-samples.ts'
import { apiShapeFacts } from './api-shape-facts.ts'
import { gpuResource } from './shape-facts.ts'
import { sizesOfShape } from './sized-shape.ts'

const E4 = {
  shape: 'VM.Standard.E4.Flex',
  isFlexible: true,
  ocpus: 1,
  memoryInGBs: 16,
  ocpuOptions: { min: 1, max: 114 },
  memoryOptions: { minInGBs: 1, maxInGBs: 1760, defaultPerOcpuInGBs: 16, minPerOcpuInGBs: 1, maxPerOcpuInGBs: 64 },
  maxVnicAttachmentOptions: { min: 2, max: 24, defaultPerOcpu: 1 },
  networkingBandwidthOptions: { minInGbps: 1, maxInGbps: 40, defaultPerOcpuInGbps: 1 },
  baselineOcpuUtilizations: ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1'],
}

test('VNICs and bandwidth of a flexible shape grow with its OCPUs, within bounds', () => {
  const settings = { ...typeSettings.sizes, ocpus: [1, 4, 64], memoryRatios: [4] }
  const sizes = sizesOfShape(apiShapeFacts(E4), communityClass(), settings)
  expect(sizes.map(({ ocpus, maxVnics, bandwidthInGbps }) => [ocpus, maxVnics, bandwidthInGbps])).toEqual([
    [1, 2, 1],
    [4, 4, 4],
    [64, 24, 40],
  ])
})

test('a fixed shape, its GPUs and disks', () => {
  const facts = apiShapeFacts({
    ...{ shape: 'BM.GPU.MI300X.8', isFlexible: false, ocpus: 112, memoryInGBs: 2048, gpus: 8, maxVnicAttachments: 256 },
    ...{ gpuDescription: 'AMD Instinct MI300X', localDisksTotalSizeInGBs: 30_720, billingType: 'PAID' },
  })
  expect(facts).toMatchObject({ ocpus: 112, gpus: 8, maxVnics: 256, localDisksInGBs: 30_720, isAlwaysFree: false })
  expect(facts.flexible).toBeUndefined()
  expect(gpuResource(facts)).toBe('amd.com/gpu')
  expect(facts.baselines).toEqual(['BASELINE_1_1'])
})

test('an Always Free shape is recognised', () => {
  expect(
    apiShapeFacts({ shape: 'VM.Standard.E2.1.Micro', isFlexible: false, billingType: 'ALWAYS_FREE' }).isAlwaysFree,
  ).toBe(true)
})
