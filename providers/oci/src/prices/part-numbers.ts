import { ownValue } from '@kerf/apis'
/** The part numbers that make up the price of a shape. */
export interface ShapeParts {
  readonly ocpu?: string
  readonly memory?: string
  readonly disk?: string
  readonly gpu?: string
}

/**
 * The part numbers in Oracle's catalogue, by prefix of the shape's name. The first match applies. The catalogue may change display names,
 * but never part numbers. For shapes that are not in this list, Kerf uses its built-in prices.
 */
const PARTS: readonly (readonly [prefix: string, parts: ShapeParts])[] = [
  ['BM.DenseIO2.', { ocpu: 'B88515' }],
  ['VM.DenseIO2.', { ocpu: 'B88516' }],
  ['BM.DenseIO.E4.', { ocpu: 'B93121', memory: 'B93122', disk: 'B93123' }],
  ['VM.DenseIO.E4.', { ocpu: 'B93121', memory: 'B93122', disk: 'B93123' }],
  ['BM.DenseIO.E5.', { ocpu: 'B98202', memory: 'B98203', disk: 'B98204' }],
  ['VM.DenseIO.E5.', { ocpu: 'B98202', memory: 'B98203', disk: 'B98204' }],
  ['BM.Standard1.', { ocpu: 'B88315' }],
  ['VM.Standard1.', { ocpu: 'B88317' }],
  ['BM.Standard2.', { ocpu: 'B88513' }],
  ['VM.Standard2.', { ocpu: 'B88514' }],
  ['BM.Standard3.', { ocpu: 'B94176', memory: 'B94177' }],
  ['VM.Standard3.', { ocpu: 'B94176', memory: 'B94177' }],
  ['BM.Optimized3.', { ocpu: 'B93311', memory: 'B93312' }],
  ['VM.Optimized3.', { ocpu: 'B93311', memory: 'B93312' }],
  ['BM.Standard.B1.', { ocpu: 'B91119' }],
  ['VM.Standard.B1.', { ocpu: 'B91120' }],
  ['BM.HPC2.', { ocpu: 'B90398' }],
  ['BM.GPU.A10.', { gpu: 'B95909' }],
  ['VM.GPU.A10.', { gpu: 'B95909' }],
  ['BM.GPU.A100-v2.', { gpu: 'B95907' }],
  ['BM.GPU.L40S', { gpu: 'B109479' }],
  ['BM.GPU.H100', { gpu: 'B98415' }],
  ['BM.GPU.H200', { gpu: 'B110519' }],
  ['BM.GPU.MI300X', { gpu: 'B109485' }],
  ['BM.GPU.B200', { gpu: 'B110978' }],
  ['BM.GPU.GB200', { gpu: 'B110979' }],
  ['BM.GPU2.', { gpu: 'B88517' }],
  ['VM.GPU2.', { gpu: 'B88518' }],
  ['BM.GPU3.', { gpu: 'B89734' }],
  ['VM.GPU3.', { gpu: 'B89734' }],
  ['BM.GPU4.', { gpu: 'B92740' }],
]

/** The parts of `VM.Standard.X…` and `BM.Standard.X…`, by processor. */
const PROCESSORS: Readonly<Record<string, ShapeParts>> = {
  E2: { ocpu: 'B90425' },
  E3: { ocpu: 'B92306', memory: 'B92307' },
  E4: { ocpu: 'B93113', memory: 'B93114' },
  E5: { ocpu: 'B97384', memory: 'B97385' },
  E6: { ocpu: 'B111129', memory: 'B111130' },
  A1: { ocpu: 'B93297', memory: 'B93298' },
  A2: { ocpu: 'B109529', memory: 'B109530' },
  A4: { ocpu: 'B112145', memory: 'B112146' },
}

/** Returns the part numbers of a shape, or undefined if they are not in this file. */
export const shapeParts = (shape: string): ShapeParts | undefined => {
  const [, processor = ''] = /^(?:BM|VM)\.Standard\.([EA]\d+)\b/.exec(shape) ?? []
  const listed = PARTS.find(([prefix]) => shape.startsWith(prefix))
  return listed?.[1] ?? ownValue(PROCESSORS, processor)
}
