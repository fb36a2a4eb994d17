import { parseQuantity, parseResources, type Quantity, toQuantity, toWhole } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { familyTraits } from '../node-class/ami-family.ts'
import { reservedAmounts } from '../node-class/kubelet-fields.ts'
import type { NodeClassTraits } from '../node-class/node-class-traits.ts'
import { maxPodCount, networkPods, vcpuCount } from './capacity.ts'
import type { TypeSettings } from './type-settings.ts'

/** Computes the part of a node's capacity that is not available to pods (`providers/aws/docs/spec/aws.md#overhead`). */

/** Ranges of CPU in millicores, with the fraction of each range that is reserved. */
const CPU_BANDS = [
  { from: 0, to: 1000, part: 0.06 },
  { from: 1000, to: 2000, part: 0.01 },
  { from: 2000, to: 4000, part: 0.005 },
  { from: 4000, to: Number.POSITIVE_INFINITY, part: 0.0025 },
] as const

const keptCpu = (vcpus: number): number =>
  CPU_BANDS.reduce((sum, { from, to, part }) => {
    const inBand = Math.min(vcpus * 1000, to) - from
    return inBand > 0 ? sum + Math.trunc(inBand * part) : sum
  }, 0)

const kubeReserved = (type: Ec2InstanceType, traits: NodeClassTraits, settings: TypeSettings): Resources => {
  const pods = familyTraits[traits.family].reservesForNetworkPods
    ? networkPods(type, traits, 0)
    : maxPodCount(type, traits, settings)
  return {
    cpu: toQuantity(keptCpu(vcpuCount(type)), 'milli'),
    memory: parseQuantity(`${11 * pods + 255}Mi`),
    'ephemeral-storage': parseQuantity('1Gi'),
    ...parseResources(reservedAmounts(traits.kubelet.kubeReserved)),
  }
}

/** One hundred percent in billionths, the unit of a quantity. */
const WHOLE = 100_000_000_000n

/** Returns `percent` of the capacity in whole bytes, rounded up. */
const share = (capacity: Quantity, percent: string): Quantity =>
  toQuantity((BigInt(toWhole(capacity)) * parseQuantity(percent) + WHOLE - 1n) / WHOLE)

/** Returns the amount that a hard eviction threshold keeps free. 100 % disables the threshold. */
const threshold = (signal: string | undefined, capacity: Quantity, fallback: () => Quantity): Quantity => {
  if (signal === undefined) return fallback()
  if (!signal.endsWith('%')) return parseQuantity(signal)
  const percent = signal.slice(0, -1)
  return Number(percent) === 100 ? toQuantity(0) : share(capacity, percent)
}

export const computeOverhead = (
  type: Ec2InstanceType,
  traits: NodeClassTraits,
  settings: TypeSettings,
  capacity: Resources,
): InstanceTypeOverhead => {
  const { evictionHard = {}, systemReserved } = traits.kubelet
  const memory = capacity['memory'] ?? toQuantity(0)
  const storage = capacity['ephemeral-storage'] ?? toQuantity(0)
  return {
    kubeReserved: kubeReserved(type, traits, settings),
    systemReserved: parseResources(reservedAmounts(systemReserved)),
    evictionThreshold: {
      memory: threshold(evictionHard['memory.available'], memory, () => parseQuantity('100Mi')),
      'ephemeral-storage': threshold(evictionHard['nodefs.available'], storage, () => share(storage, '10')),
    },
  }
}
