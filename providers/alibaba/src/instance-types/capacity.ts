import { ownValue, parseQuantity, type Quantity, toNumber, toQuantity, tryParseQuantity, zero } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import type { ClassTraits } from './class-traits.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2

const gpuCount = ({ gpus }: EcsType, manufacturer: string): Quantity =>
  toQuantity(gpus?.model?.split(' ')[0]?.toLowerCase() === manufacturer ? gpus.count : 0)

/** Returns the capacity of a node. `overhead` is the fraction of the memory that the hypervisor uses. */
export const typeCapacity = (
  type: EcsType,
  { ephemeralStorage }: ClassTraits,
  { pods, overhead }: { readonly pods: number; readonly overhead: number },
): Resources => {
  const memory = type.memoryGiB * GIB
  return {
    cpu: toQuantity(type.vcpus),
    memory: toQuantity(memory - Math.ceil((memory * overhead) / MIB) * MIB),
    'ephemeral-storage': parseQuantity(ephemeralStorage),
    pods: toQuantity(pods),
    'nvidia.com/gpu': gpuCount(type, 'nvidia'),
    'amd.com/gpu': gpuCount(type, 'amd'),
    'aliyun/eni': toQuantity(type.enis === undefined ? 0 : type.enis - 1),
  }
}

/** The reserved millicores of the first four vCPUs. Each vCPU adds its amount to the total. */
const CPU_STEPS: readonly (readonly [vcpus: number, millicores: number])[] = [
  [1, 60],
  [2, 10],
  [3, 5],
  [4, 5],
]

const reservedCpu = (vcpus: number): Quantity => {
  const steps = CPU_STEPS.filter(([from]) => vcpus >= from).reduce((sum, [, millicores]) => sum + millicores, 0)
  return toQuantity(steps + Math.floor(Math.max(0, vcpus - 4) * 2.5), 'milli')
}

const reservedMemory = (memoryGiB: number, pods: number): Quantity =>
  toQuantity((Math.floor(Math.min(11 * pods + 255, memoryGiB * 1024 * 0.25)) + 200) * MIB)

const larger = (a: Quantity, b: Quantity | undefined): Quantity => (b !== undefined && b > a ? b : a)

/** Returns an eviction threshold as a quantity. The text is a quantity or a percentage of the capacity. 100% disables the threshold. */
const threshold = (text: string | undefined, capacity: Quantity | undefined): Quantity => {
  const percentage = /^(\d+(?:\.\d+)?)%$/.exec(text ?? '')?.[1]
  if (percentage === undefined) return tryParseQuantity(text) ?? zero
  const part = Number(percentage)
  return part >= 100 || capacity === undefined ? zero : toQuantity(Math.ceil((toNumber(capacity) / 100) * part))
}

const positive = (amounts: Readonly<Record<string, Quantity>>): Resources =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > zero))

const reserved = (values: Readonly<Record<string, string>>, name: string): Quantity =>
  larger(zero, tryParseQuantity(ownValue(values, name)))

/**
 * Returns the resources that pods cannot use (`providers/alibaba/docs/spec/alibaba.md#instance-types-and-prices`): ACK's formula, plus the
 * node class's kubelet settings. It is unconfirmed which of these settings ACK passes to the kubelet. So `kubeReserved` can only raise the
 * formula's amounts, and pods fit whether or not ACK applies the setting.
 */
export const typeOverhead = (
  { vcpus, memoryGiB }: EcsType,
  { kubeReserved, systemReserved, evictionHard }: ClassTraits,
  { pods, capacity }: { readonly pods: number; readonly capacity: Resources },
): InstanceTypeOverhead => {
  const names = ['cpu', 'memory', 'ephemeral-storage'] as const
  const formula = { cpu: reservedCpu(vcpus), memory: reservedMemory(memoryGiB, pods), 'ephemeral-storage': zero }
  const system = positive(Object.fromEntries(names.map((name) => [name, reserved(systemReserved, name)])))
  const eviction = positive({
    memory: threshold(evictionHard['memory.available'], capacity['memory']),
    'ephemeral-storage': threshold(evictionHard['nodefs.available'], capacity['ephemeral-storage']),
  })
  return {
    kubeReserved: positive(
      Object.fromEntries(names.map((name) => [name, larger(formula[name], reserved(kubeReserved, name))])),
    ),
    ...(Object.keys(system).length === 0 ? {} : { systemReserved: system }),
    ...(Object.keys(eviction).length === 0 ? {} : { evictionThreshold: eviction }),
  }
}
