import {
  addQuantities,
  ownValue,
  parseQuantity,
  type Quantity,
  toQuantity,
  toWhole,
  tryParseQuantity,
} from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import { gpusOfType, type TypeFacts, tpuChips } from '../type-facts.ts'
import type { ClassTraits } from './class-traits.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2

const podsOf = ({ vcpus }: TypeFacts, { maxPods, podsPerCore }: ClassTraits): number =>
  podsPerCore > 0 ? Math.min(maxPods, podsPerCore * vcpus) : maxPods

/**
 * Returns the capacity of a node of the instance type (`providers/gcp/docs/spec/gcp.md#capacity`). `overhead`: the fraction of the memory
 * that the virtual machine needs for itself.
 */
export const typeCapacity = (facts: TypeFacts, traits: ClassTraits, overhead: number): Resources => {
  const memory = facts.memoryMiB * MIB
  const chips = tpuChips(facts)
  return {
    cpu: toQuantity(facts.vcpus),
    memory: toQuantity(memory - Math.trunc(memory * overhead)),
    pods: toQuantity(podsOf(facts, traits)),
    'ephemeral-storage': toQuantity(traits.bootDiskGiB * GIB),
    'nvidia.com/gpu': toQuantity(gpusOfType(facts)?.count ?? 0),
    ...(chips === 0 ? {} : { 'google.com/tpu': toQuantity(chips) }),
  }
}

/** The width of a bracket, and the share of the bracket that is reserved. */
type Bracket = readonly [width: number, share: number]

const CPU_MILLI: readonly Bracket[] = [
  [1000, 0.06],
  [1000, 0.01],
  [2000, 0.005],
  [Number.POSITIVE_INFINITY, 0.0025],
]
const MEMORY_MIB: readonly Bracket[] = [
  [4096, 0.25],
  [4096, 0.2],
  [8192, 0.1],
  [114_688, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]

/** Returns the total of the reserved shares. Each share is rounded down. */
const reservedOf = (amount: number, brackets: readonly Bracket[]): number => {
  let sum = 0
  let rest = amount
  for (const [width, share] of brackets) {
    if (rest <= 0) break
    sum += Math.trunc(Math.min(rest, width) * share)
    rest -= width
  }
  return sum
}

const SHARED_CORE: ReadonlySet<string> = new Set(['e2-micro', 'e2-small', 'e2-medium'])
const SHARED_CORE_MILLI = 1060
const SMALL_MEMORY_MIB = 1024
const SMALL_RESERVE_MIB = 255
const MAXIMUM_DISK_RESERVE_GIB = 100

const reservedCpuMilli = ({ name, vcpus }: TypeFacts): number =>
  SHARED_CORE.has(name) ? SHARED_CORE_MILLI : reservedOf(vcpus * 1000, CPU_MILLI)

const reservedMemoryMiB = ({ memoryMiB }: TypeFacts): number =>
  memoryMiB <= SMALL_MEMORY_MIB ? SMALL_RESERVE_MIB : reservedOf(memoryMiB, MEMORY_MIB)

const reservedDiskGiB = ({ bootDiskGiB }: ClassTraits): number =>
  Math.min(Math.round(bootDiskGiB * 0.5), Math.round(bootDiskGiB * 0.35 + 6), MAXIMUM_DISK_RESERVE_GIB)

/** Parses the quantities of a node class. Ignores invalid ones, because they prevent the class from becoming ready anyway. */
const amountsIn = (texts: Readonly<Record<string, string>>): Resources =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const amount = tryParseQuantity(text)
      return amount === undefined ? [] : [[name, amount] as const]
    }),
  )

const sumOf = (a: Resources, b: Resources): Resources => ({
  ...a,
  ...Object.fromEntries(
    Object.entries(b).map(([name, amount]) => [name, addQuantities(ownValue(a, name) ?? toQuantity(0), amount)]),
  ),
})

/** Returns a threshold as a quantity. A percentage is a share of the capacity, rounded up. */
const parseThreshold = (text: string, capacity: Quantity | undefined): Quantity | undefined =>
  text.endsWith('%')
    ? toQuantity(Math.ceil((toWhole(capacity ?? toQuantity(0)) * Number(text.slice(0, -1))) / 100))
    : tryParseQuantity(text)

/** CPU for kube-proxy, which GKE runs on each node as a static pod. The kubelet's configuration does not contain this reservation. */
const KUBE_PROXY = { cpu: parseQuantity('100m') }
const EVICTION_MEMORY = parseQuantity('100Mi')

/** Returns the resources of a node that pods cannot use (`providers/gcp/docs/spec/gcp.md#overhead`). */
export const typeOverhead = (facts: TypeFacts, traits: ClassTraits, capacity: Resources): InstanceTypeOverhead => {
  const { kubeReserved, systemReserved, evictionHard } = traits
  const memory = evictionHard['memory.available']
  const disk = evictionHard['nodefs.available']
  return {
    kubeReserved: {
      cpu: toQuantity(reservedCpuMilli(facts), 'milli'),
      memory: toQuantity(reservedMemoryMiB(facts) * MIB),
      'ephemeral-storage': toQuantity(reservedDiskGiB(traits) * GIB),
      ...amountsIn(kubeReserved),
    },
    systemReserved: sumOf(KUBE_PROXY, amountsIn(systemReserved)),
    evictionThreshold: {
      memory: (memory === undefined ? undefined : parseThreshold(memory, capacity['memory'])) ?? EVICTION_MEMORY,
      'ephemeral-storage':
        (disk === undefined ? undefined : parseThreshold(disk, capacity['ephemeral-storage'])) ??
        toQuantity(Math.trunc(traits.bootDiskGiB * 0.1) * GIB),
    },
  }
}
