import type { Baseline, ResolvedClass } from '../node-class/resolved-class.ts'
import { type PerOcpu, type Range, type ShapeFacts, vcpusPerOcpu } from './shape-facts.ts'

/** A shape with the number of OCPUs and the memory of one instance. */
export interface SizedShape {
  readonly facts: ShapeFacts
  /** The name of the instance type. */
  readonly name: string
  readonly ocpus: number
  readonly memoryInGBs: number
  /** Absent for a fixed shape. */
  readonly baseline: Baseline | undefined
  readonly vcpus: number
  readonly maxVnics: number | undefined
  readonly bandwidthInGbps: number | undefined
}

/** A size before Kerf has checked it against the limits of the shape. */
interface WantedSize {
  readonly ocpus: number
  readonly memoryInGBs: number | undefined
  readonly baseline: Baseline
}

/** The sizes of flexible shapes for classes that specify none. */
export interface SizeSettings {
  /** The numbers of OCPUs for an OciNodeClass. */
  readonly ocpus: readonly number[]
  /** The amounts of memory for an OciNodeClass, in GB per vCPU. */
  readonly memoryRatios: readonly number[]
  /** The sizes for an OCINodeClass. */
  readonly sizes: NonNullable<ResolvedClass['shapeSizes']>
}

const BASELINE_NAMES: Readonly<Record<Baseline, string>> = {
  BASELINE_1_8: '1_8b',
  BASELINE_1_2: '1_2b',
  BASELINE_1_1: '1_1b',
}
const BASELINE_DIVISORS: Readonly<Record<Baseline, number>> = { BASELINE_1_8: 8, BASELINE_1_2: 2, BASELINE_1_1: 1 }

/** Rounds to the nearest integer. Like in Oracle's cloud controller, halves are rounded to the even integer. */
const rounded = (value: number): number => {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/**
 * Returns the name of the instance type of a size (`providers/oci/docs/spec/oci.md#names-of-instance-types`). For an OCINodeClass, this is
 * the name that Oracle's cloud controller writes to the Node.
 */
export const typeName = (
  upstream: ResolvedClass['upstream'],
  shape: string,
  { ocpus, memoryInGBs, baseline }: Pick<SizedShape, 'ocpus' | 'memoryInGBs' | 'baseline'>,
): string => {
  if (baseline === undefined) return shape
  return upstream === 'oracle'
    ? `${shape}.${rounded(ocpus)}o.${rounded(memoryInGBs)}g.${BASELINE_NAMES[baseline]}`
    : `${shape}.${ocpus}o.${memoryInGBs}g`
}

const isIn = (value: number, { min, max }: Range): boolean => value >= min && value <= max
const scaled = (ocpus: number, value: PerOcpu | undefined): number | undefined =>
  value === undefined ? undefined : Math.min(value.max, Math.max(value.min, Math.floor(value.perOcpu * ocpus)))

const wantedSizes = (
  { upstream, shapeSizes }: Pick<ResolvedClass, 'upstream' | 'shapeSizes'>,
  shape: string,
  settings: SizeSettings,
): readonly WantedSize[] => {
  if (upstream === 'community')
    return settings.ocpus.flatMap((ocpus) =>
      settings.memoryRatios.map((ratio) => ({
        ...{ ocpus, memoryInGBs: ratio * vcpusPerOcpu(shape) * ocpus, baseline: 'BASELINE_1_1' as const },
      })),
    )
  const own = shapeSizes ?? []
  return (own.length > 0 ? own : settings.sizes).flatMap(({ ocpus, memoryInGBs, baseline = 'BASELINE_1_1' }) =>
    ocpus === undefined ? [] : [{ ocpus, memoryInGBs, baseline }],
  )
}

const sizeOfFlexible = (
  facts: ShapeFacts,
  flexible: NonNullable<ShapeFacts['flexible']>,
  upstream: ResolvedClass['upstream'],
  { ocpus, memoryInGBs: wanted, baseline }: WantedSize,
): readonly SizedShape[] => {
  const { defaultMemoryPerOcpu } = flexible
  const memoryInGBs =
    wanted ?? (defaultMemoryPerOcpu === undefined ? 0 : (ocpus * defaultMemoryPerOcpu) / BASELINE_DIVISORS[baseline])
  const isPossible =
    isIn(ocpus, flexible.ocpus) &&
    isIn(memoryInGBs, flexible.memoryInGBs) &&
    isIn(memoryInGBs / ocpus, flexible.memoryPerOcpu) &&
    (baseline === 'BASELINE_1_1' || facts.baselines.includes(baseline))
  if (!isPossible) return []
  const size = { ocpus, memoryInGBs, baseline }
  return [
    {
      ...{ facts, name: typeName(upstream, facts.name, size), ...size },
      vcpus: vcpusPerOcpu(facts.name) * ocpus,
      // An instance with one OCPU has two VNICs: one for the node and one for pods.
      maxVnics: ocpus === 1 && flexible.vnics !== undefined ? 2 : scaled(ocpus, flexible.vnics),
      bandwidthInGbps: scaled(ocpus, flexible.bandwidthInGbps),
    },
  ]
}

/**
 * Returns the sizes of a shape for a class. A fixed shape has one size. A flexible shape has the sizes from the class or the settings that
 * are within its limits. If two sizes have the same name, returns only the first.
 */
export const sizesOfShape = (
  facts: ShapeFacts,
  nodeClass: Pick<ResolvedClass, 'upstream' | 'shapeSizes'>,
  settings: SizeSettings,
): readonly SizedShape[] => {
  const { flexible, name, ocpus, memoryInGBs, maxVnics, bandwidthInGbps } = facts
  if (flexible === undefined)
    return ocpus === 0
      ? []
      : [
          {
            ...{ facts, name, ocpus, memoryInGBs, baseline: undefined, maxVnics, bandwidthInGbps },
            vcpus: vcpusPerOcpu(name) * ocpus,
          },
        ]
  const sizes = wantedSizes(nodeClass, name, settings).flatMap((wanted) =>
    sizeOfFlexible(facts, flexible, nodeClass.upstream, wanted),
  )
  return [...new Map(sizes.toReversed().map((size) => [size.name, size])).values()].toReversed()
}
