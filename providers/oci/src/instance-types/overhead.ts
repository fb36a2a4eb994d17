import { parseQuantity, type Quantity, toQuantity, toWhole, tryParseQuantity } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { amounts, GIB } from './capacity.ts'
import type { SizedShape } from './sized-shape.ts'

/**
 * The reserved millicores for one to five vCPUs. Each further vCPU adds `FURTHER_CPU` (Oracle's best practices for OKE). Oracle's provider
 * reserves 72 for two vCPUs, and zoom/karpenter-oci 70.
 */
const CPU: Readonly<Record<ResolvedClass['upstream'], readonly number[]>> = {
  community: [60, 70, 80, 85, 90],
  oracle: [60, 72, 80, 85, 90],
}
const FURTHER_CPU = 2.5

const reservedCpu = ({ vcpus }: SizedShape, upstream: ResolvedClass['upstream']): Quantity => {
  const steps = CPU[upstream]
  const known = vcpus < 1 ? 0 : (steps[Math.min(Math.trunc(vcpus), steps.length) - 1] ?? 0)
  const millicores = known + Math.max(0, vcpus - steps.length) * FURTHER_CPU
  return toQuantity(upstream === 'community' ? Math.trunc(millicores) : Math.ceil(millicores), 'milli')
}

/** The GiB that zoom/karpenter-oci reserves, by the minimum memory in GiB. */
const COMMUNITY_MEMORY: readonly (readonly [from: number, reserved: number])[] = [
  [2, 1],
  [16, 2],
  [128, 9],
]

const communityMemory = (gib: number): number => {
  const [from, reserved] = COMMUNITY_MEMORY.findLast(([least]) => gib >= least) ?? [0, 0]
  return from === 128 ? reserved + 0.02 * (gib - from) : reserved
}

/** The reserved share of the memory, up to each amount in GiB. */
const ORACLE_MEMORY: readonly (readonly [upTo: number, share: number])[] = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]

const oracleMemory = (gib: number): number => {
  let reserved = 0
  let from = 0
  for (const [upTo, share] of ORACLE_MEMORY) {
    reserved += Math.max(0, Math.min(gib, upTo) - from) * share
    from = upTo
  }
  return reserved
}

const reservedMemory = ({ memoryInGBs }: SizedShape, upstream: ResolvedClass['upstream']): Quantity =>
  toQuantity(
    Math.trunc(
      (upstream === 'community' ? communityMemory(Math.trunc(memoryInGBs)) : oracleMemory(memoryInGBs)) * 1024,
    ) *
      1024 ** 2,
  )

const kubeReserved = (size: SizedShape, { upstream, kubelet }: ResolvedClass): Resources => {
  const own = kubelet.kubeReserved ?? {}
  // If a class specifies any amount, zoom/karpenter-oci drops all defaults.
  if (upstream === 'community' && Object.keys(own).length > 0) return amounts(own)
  return {
    cpu: reservedCpu(size, upstream),
    memory: reservedMemory(size, upstream),
    ...(upstream === 'community' ? { 'ephemeral-storage': parseQuantity('1Gi') } : {}),
    ...amounts(own),
  }
}

const SYSTEM_RESERVED: Resources = { cpu: parseQuantity('100m'), memory: parseQuantity('100Mi') }

const systemReserved = ({ upstream, kubelet }: ResolvedClass): Resources => {
  const own = kubelet.systemReserved
  if (upstream === 'community' && own !== undefined) return amounts(own)
  return { ...SYSTEM_RESERVED, ...amounts(own ?? {}) }
}

/** Returns a threshold as a quantity. A percentage is a share of the capacity, rounded up. 100% disables the threshold. */
const threshold = (text: string, capacity: Quantity): Quantity | undefined => {
  if (!text.endsWith('%')) return tryParseQuantity(text)
  const percent = Number(text.slice(0, -1))
  return toQuantity(percent === 100 ? 0 : Math.ceil((toWhole(capacity) * percent) / 100))
}

const eviction = (size: SizedShape, { kubelet }: ResolvedClass, disk: Quantity | undefined): Resources => {
  const { 'memory.available': memory = '100Mi', 'nodefs.available': nodefs = '10%' } = kubelet.evictionHard ?? {}
  const ofMemory = threshold(memory, toQuantity(Math.trunc(size.memoryInGBs * GIB)))
  const ofDisk = disk === undefined ? undefined : threshold(nodefs, disk)
  return {
    ...(ofMemory === undefined ? {} : { memory: ofMemory }),
    ...(ofDisk === undefined ? {} : { 'ephemeral-storage': ofDisk }),
  }
}

/** Returns the resources of a node that pods cannot use (`providers/oci/docs/spec/oci.md#overhead`). */
export const typeOverhead = (
  size: SizedShape,
  nodeClass: ResolvedClass,
  disk: Quantity | undefined,
): InstanceTypeOverhead => ({
  kubeReserved: kubeReserved(size, nodeClass),
  systemReserved: systemReserved(nodeClass),
  evictionThreshold: eviction(size, nodeClass, disk),
})
