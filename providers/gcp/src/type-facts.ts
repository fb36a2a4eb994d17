/** A kind of accelerator of an instance type. */
export interface Accelerator {
  /** The name in Compute Engine, for example `nvidia-l4`. */
  readonly type: string
  /** The number of accelerators. It may be a fraction for instance types that share a GPU. */
  readonly count: number
}

/** The properties of an instance type that do not depend on region, price or node class. */
export interface TypeFacts {
  readonly name: string
  readonly vcpus: number
  readonly memoryMiB: number
  readonly arch: 'amd64' | 'arm64'
  readonly accelerators: readonly Accelerator[]
  /** The total size of the local SSDs that every instance of the type has. */
  readonly localSsdGiB: number
}

const isGpu = ({ type }: Accelerator): boolean => type.startsWith('nvidia')

/** Returns the GPUs of an instance type: the type of the first GPU, and the total number of GPUs. Returns undefined if there are none. */
export const gpusOfType = ({ accelerators }: TypeFacts): Accelerator | undefined => {
  const gpus = accelerators.filter(isGpu)
  const [first] = gpus
  if (first === undefined) return undefined
  return { type: first.type, count: gpus.reduce((sum, { count }) => sum + Math.ceil(count), 0) }
}

/** Returns the number of TPU chips, which are the accelerators other than GPUs. */
export const tpuChips = ({ accelerators }: TypeFacts): number =>
  accelerators.filter((each) => !isGpu(each)).reduce((sum, { count }) => sum + count, 0)
