import { parseQuantity, type Quantity, toQuantity, tryParseQuantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { hasNativePods } from '../node-class/native-pods.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { gpuResource } from './shape-facts.ts'
import type { SizedShape } from './sized-shape.ts'

export const GIB = 1024 ** 3
const MIB = 1024 ** 2

const DEFAULT_PODS = 110
/** The number of pod addresses per VNIC for an OciNodeClass, without the VNIC's own address. */
const PODS_PER_VNIC = 31

export interface CapacitySettings {
  /** The fraction of the memory that the hypervisor needs. Applies only to OciNodeClasses. */
  readonly memoryOverhead: number
  /** The number of pod addresses of a secondary VNIC without `ipCount`: 32, or 256 in an IPv6-only cluster. */
  readonly defaultIpCount: number
}

/** Returns the maximum number of pods that the network interfaces allow, or undefined if they impose no limit. */
const networkPods = (size: SizedShape, nodeClass: ResolvedClass, settings: CapacitySettings): number | undefined => {
  if (!hasNativePods(nodeClass)) return undefined
  if (nodeClass.upstream === 'community')
    return size.maxVnics === undefined ? undefined : (Math.max(1, size.maxVnics) - 1) * PODS_PER_VNIC
  return nodeClass.secondaryVnics.reduce((sum, { ipCount = settings.defaultIpCount }) => sum + ipCount, 0)
}

/** Returns the maximum number of pods of a node (`providers/oci/docs/spec/oci.md#pods`). */
const podCount = (size: SizedShape, nodeClass: ResolvedClass, settings: CapacitySettings): number => {
  const { maxPods, podsPerCore = 0 } = nodeClass.kubelet
  const network = networkPods(size, nodeClass, settings)
  // For an OCINodeClass, the limit of the network interfaces replaces the default, and maxPods can only lower it.
  const limits =
    nodeClass.upstream === 'oracle'
      ? [network ?? DEFAULT_PODS, maxPods ?? Number.POSITIVE_INFINITY]
      : [maxPods ?? DEFAULT_PODS, network ?? Number.POSITIVE_INFINITY]
  return Math.min(...limits, podsPerCore > 0 ? podsPerCore * size.vcpus : Number.POSITIVE_INFINITY)
}

const memory = ({ memoryInGBs }: SizedShape, { upstream }: ResolvedClass, overhead: number): Quantity => {
  // zoom/karpenter-oci uses whole GiB of memory, and rounds the hypervisor's share up to whole MiB.
  const bytes = upstream === 'community' ? Math.trunc(memoryInGBs) * GIB : Math.trunc(memoryInGBs * GIB)
  return toQuantity(upstream === 'community' ? bytes - Math.ceil((bytes * overhead) / MIB) * MIB : bytes)
}

/** Returns the size of a node's disk, or undefined if it depends on the image. */
export const diskSize = ({ upstream, bootVolume }: ResolvedClass): Quantity | undefined =>
  bootVolume.sizeInGBs === undefined
    ? undefined
    : parseQuantity(`${bootVolume.sizeInGBs}${upstream === 'community' ? 'Gi' : 'G'}`)

/** Returns the capacity of a node with this size (`providers/oci/docs/spec/oci.md#capacity`). */
export const typeCapacity = (size: SizedShape, nodeClass: ResolvedClass, settings: CapacitySettings): Resources => {
  const disk = diskSize(nodeClass)
  const { gpus } = size.facts
  return {
    cpu: toQuantity(Math.round(size.vcpus * 1000), 'milli'),
    memory: memory(size, nodeClass, settings.memoryOverhead),
    pods: toQuantity(podCount(size, nodeClass, settings)),
    ...(disk === undefined ? {} : { 'ephemeral-storage': disk }),
    ...(gpus === 0 ? {} : { [gpuResource(size.facts)]: toQuantity(gpus) }),
  }
}

/** Parses the quantities of a class. Ignores invalid ones, because the ValidationSucceeded condition reports them. */
export const amounts = (texts: Readonly<Record<string, string>>): Resources =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const amount = tryParseQuantity(text)
      return amount === undefined ? [] : [[name, amount] as const]
    }),
  )
