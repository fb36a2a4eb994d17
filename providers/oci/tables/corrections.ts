import type { Correction } from '../../../tools/published-tables.ts'

const GPU_SHAPES =
  'The published table has no OCPUs and no memory for GPU shapes. Oracle’s documentation of shapes has them.'

const gpuShape = (line: string, ocpus: number, memory: number): readonly Correction[] => [
  { table: 'shapes', line, fact: 'ocpus', value: ocpus, reason: GPU_SHAPES },
  { table: 'shapes', line, fact: 'memory', value: memory, reason: GPU_SHAPES },
]

/**
 * Corrections of wrong or missing values in Oracle Cloud's published tables. To correct a price, add a line such as `{ table: 'prices',
 * line: 'VM.Standard.E4.Flex', fact: 'ocpu', value: 0.025, reason: '…' }` and run `npm run generate`.
 */
export const corrections: readonly Correction[] = [
  ...gpuShape('VM.GPU2.1', 12, 72),
  ...gpuShape('BM.GPU2.2', 28, 192),
  ...gpuShape('VM.GPU3.1', 6, 90),
  ...gpuShape('VM.GPU3.2', 12, 180),
  ...gpuShape('VM.GPU3.4', 24, 360),
  ...gpuShape('BM.GPU3.8', 52, 768),
  ...gpuShape('BM.GPU4.8', 64, 2048),
  {
    table: 'shapes',
    line: 'BM.DenseIO.E5.128',
    fact: 'disk',
    value: 81.6,
    reason: 'The published table has no disks for this shape. 81.6 TB follow from its monthly price in Oracle’s table.',
  },
]
