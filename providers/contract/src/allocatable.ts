import type { Quantity } from '@kerf/apis'
import { ownValue, setOwnValue } from '@kerf/apis'
import {
  type InstanceType,
  type InstanceTypeOverhead,
  type Offering,
  oncePerObject,
  type Resources,
} from '@kerf/engine'

const ZERO = 0n as Quantity

/**
 * Returns the amounts of an instance type that are available to pods (`docs/spec/provider-contract.md#data-model`): capacity minus
 * overhead, with huge pages subtracted from memory, and never below zero. The capacity overrides of an offering apply if it is passed.
 * Cached per type.
 */
export const offeringAllocatable = (type: InstanceType, offering?: Offering): Resources => {
  if (offering?.capacityOverride !== undefined || offering?.overheadOverride !== undefined) {
    return allocatable(
      { ...type.capacity, ...offering.capacityOverride },
      { ...type.overhead, ...offering.overheadOverride },
    )
  }
  return plain(type)
}

/** Returns the capacity of an instance type, with the overrides of the offering if it is passed. */
export const offeringCapacity = (type: InstanceType, offering?: Offering): Resources =>
  offering?.capacityOverride === undefined ? type.capacity : { ...type.capacity, ...offering.capacityOverride }

const allocatable = (capacity: Resources, overhead: InstanceTypeOverhead): Resources => {
  const kept = [overhead.kubeReserved, overhead.systemReserved, overhead.evictionThreshold]
  const result: Record<string, Quantity> = {}
  let hugePages = 0n
  for (const [name, amount] of Object.entries(capacity)) {
    if (name.startsWith('hugepages-')) hugePages += amount
    const rest = kept.reduce<bigint>((left, resources) => left - (ownValue(resources, name) ?? 0n), amount)
    setOwnValue(result, name, floorAtZero(rest))
  }
  const memory = result['memory']
  if (memory !== undefined && hugePages > 0n) result['memory'] = floorAtZero(memory - hugePages)
  return result
}

const plain = oncePerObject(({ capacity, overhead }: InstanceType) => allocatable(capacity, overhead))

const floorAtZero = (amount: bigint): Quantity => (amount < 0n ? ZERO : (amount as Quantity))

/** Returns true if `requests` fit into `free`. A resource that `free` does not contain counts as zero. */
export const fits = (requests: Resources, free: Resources): boolean =>
  Object.entries(requests).every(([name, amount]) => amount <= (ownValue(free, name) ?? ZERO))
