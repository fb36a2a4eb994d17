/** A kind of accelerator of an instance type. */
export interface Accelerator {
  /** The name in Compute Engine, for example `nvidia-l4`. */
  readonly type: string
  /** The number of accelerators. It may be a fraction for instance types that share a GPU. */
  readonly count: number
}

/** The facts of an instance type that do not depend on region, price or node class. */
export interface TypeFacts {
  readonly name: string
  readonly vcpus: number
  readonly memoryMiB: number
  readonly arch: 'amd64' | 'arm64'
  readonly accelerators: readonly Accelerator[]
  /** The sum of the local SSDs that every instance of the instance type has. */
  readonly localSsdGiB: number
}

const isGpu = ({ type }: Accelerator): boolean => type.startsWith('nvidia')

/** Returns the GPUs of an instance type: the name of the first one and how many there are. Undefined without GPUs. */
export const gpusOfType = ({ accelerators }: TypeFacts): Accelerator | undefined => {
  const gpus = accelerators.filter(isGpu)
  const [first] = gpus
  if (first === undefined) return undefined
  return { type: first.type, count: gpus.reduce((sum, { count }) => sum + Math.ceil(count), 0) }
}

/** Returns the number of accelerators that are not GPUs: the chips of a TPU. */
export const tpuChips = ({ accelerators }: TypeFacts): number =>
  accelerators.filter((each) => !isGpu(each)).reduce((sum, { count }) => sum + count, 0)
