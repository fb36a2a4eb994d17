import { parseQuantity, toQuantity } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import type { VmSize } from '../sizes/vm-size.ts'
import { findGpuSize } from '../tables/gpu-sizes.ts'
import type { ClassTraits } from './class-traits.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2

/**
 * Returns the capacity of a node of the size (`providers/azure/docs/spec/azure.md#capacity`). `overhead`: the fraction of the memory that the
 * hypervisor uses.
 */
export const computeCapacity = (size: VmSize, traits: ClassTraits, overhead: number): Resources => {
  const memory = Math.floor(size.memoryGiB) * GIB
  const gpu = findGpuSize(size.name)
  return {
    cpu: toQuantity(size.vcpus),
    memory: toQuantity(memory - Math.ceil(memory * overhead)),
    'ephemeral-storage': parseQuantity(`${traits.osDiskSizeGB}G`),
    pods: toQuantity(traits.maxPods),
    ...(gpu === undefined || size.gpus === 0 ? {} : { [`${gpu.manufacturer}.com/gpu`]: toQuantity(size.gpus) }),
  }
}

/** The upper limit of a bracket, and its rate. */
type Bracket = readonly [upTo: number, rate: number]

const MEMORY: readonly Bracket[] = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]
const CPU: readonly Bracket[] = [
  [1, 0.06],
  [2, 0.04],
  [4, 0.02],
  [Number.POSITIVE_INFINITY, 0.01],
]

/** Splits the amount into brackets, multiplies each part by the rate of its bracket, and returns the sum. */
const progressive = (amount: number, brackets: readonly Bracket[]): number => {
  let sum = 0
  let from = 0
  for (const [upTo, rate] of brackets) {
    if (from > amount) break
    sum += (Math.min(upTo, amount) - from) * rate
    from = upTo
  }
  return sum
}

const EVICTION = parseQuantity('750Mi')

/** Returns the resources that pods cannot use (`providers/azure/docs/spec/azure.md#overhead`), truncated to whole millicores and mebibytes. */
export const computeOverhead = ({ vcpus, memoryGiB }: VmSize): InstanceTypeOverhead => ({
  kubeReserved: {
    cpu: parseQuantity(`${Math.trunc(1000 * progressive(vcpus, CPU))}m`),
    memory: toQuantity(Math.trunc(1024 * progressive(memoryGiB, MEMORY)) * MIB),
  },
  evictionThreshold: { memory: EVICTION },
})
