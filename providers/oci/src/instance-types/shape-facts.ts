import type { Baseline } from '../node-class/resolved-class.ts'

/** A range of values, including both limits. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** A value that grows with the number of OCPUs, within limits. */
export interface PerOcpu extends Range {
  readonly perOcpu: number
}

/** A shape of Oracle Cloud, from ListShapes or from this package's table. */
export interface ShapeFacts {
  readonly name: string
  /** The OCPUs of a fixed shape. 0 for a shape whose OCPUs are unknown. */
  readonly ocpus: number
  readonly memoryInGBs: number
  /** Set for a flexible shape. */
  readonly flexible?: {
    readonly ocpus: Range
    readonly memoryInGBs: Range
    readonly memoryPerOcpu: Range
    /** The memory per OCPU if the size does not specify the memory. */
    readonly defaultMemoryPerOcpu: number | undefined
    readonly vnics: PerOcpu | undefined
    readonly bandwidthInGbps: PerOcpu | undefined
  }
  readonly baselines: readonly Baseline[]
  /** The VNICs of a fixed shape. */
  readonly maxVnics: number | undefined
  readonly bandwidthInGbps: number | undefined
  readonly gpus: number
  readonly gpuDescription: string | undefined
  readonly localDisksInGBs: number
  readonly isAlwaysFree: boolean
}

export const isBareMetal = (shape: string): boolean => shape.startsWith('BM.')
export const isDenseIo = (shape: string): boolean => shape.toLowerCase().includes('denseio')

/** Returns true for a generic shape, which represents several others. Such a shape has no price, so Kerf cannot compare it. */
export const isGeneric = (shape: string): boolean => shape.includes('.Generic')

/** The Arm processors: A1, A2 and A4. */
const ARM = /^(?:BM|VM)\.Standard\.A(\d)/

export const architecture = (shape: string): 'amd64' | 'arm64' => (ARM.test(shape) ? 'arm64' : 'amd64')

/**
 * Returns the number of vCPUs per OCPU: two threads of a core, two cores of A2 and A4, or one core of A1 (Oracle's documentation of
 * shapes).
 */
export const vcpusPerOcpu = (shape: string): number => (ARM.exec(shape)?.[1] === '1' ? 1 : 2)

/** Returns the extended resource for the GPUs. The manufacturer is part of the description or of the shape's name. */
export const gpuResource = ({
  name,
  gpuDescription = '',
}: Pick<ShapeFacts, 'name' | 'gpuDescription'>): 'nvidia.com/gpu' | 'amd.com/gpu' =>
  /\bamd\b|MI\d{3}/i.test(`${gpuDescription} ${name}`) ? 'amd.com/gpu' : 'nvidia.com/gpu'
