import type { UsdPerHour } from '@kerf/apis'
import type { Baseline } from '../node-class/resolved-class.ts'
import { isDenseIo } from './shape-facts.ts'
import type { SizedShape } from './sized-shape.ts'

/** The prices of a shape, in USD an hour. */
export interface ShapeRates {
  readonly perOcpu: number
  readonly perGB: number
  /** The price of a TB of local disk. */
  readonly perDiskTB: number
  /** The price of a GPU, including its OCPUs and memory. */
  readonly perGpu: number
}

/** The fraction of its OCPUs that a burstable instance pays for. */
const SHARES: Readonly<Record<Baseline, number>> = { BASELINE_1_8: 0.125, BASELINE_1_2: 0.5, BASELINE_1_1: 1 }

/** The local disk size per OCPU of a flexible DenseIO shape: 6.8 TB for 8 OCPUs (Oracle's documentation of shapes). */
const FLEXIBLE_DISK_TB = 0.85

const diskTB = ({ facts, ocpus }: SizedShape): number =>
  facts.flexible !== undefined && isDenseIo(facts.name) ? ocpus * FLEXIBLE_DISK_TB : facts.localDisksInGBs / 1000

/** Returns the price of an instance. Does not subtract Oracle's monthly free hours, because they apply to the whole tenancy. */
export const hourlyPrice = (size: SizedShape, rates: ShapeRates): UsdPerHour => {
  const { facts, ocpus, memoryInGBs, baseline = 'BASELINE_1_1' } = size
  const price =
    rates.perGpu * facts.gpus +
    rates.perOcpu * ocpus * SHARES[baseline] +
    rates.perGB * memoryInGBs +
    rates.perDiskTB * diskTB(size)
  // Removes rounding errors of binary fractions.
  return Number(price.toFixed(10))
}
