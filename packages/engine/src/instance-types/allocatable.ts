import type { InstanceType, InstanceTypeOverhead, Offering, Resources } from '../instance-type.ts'
import { amountEntries } from '../resources/amount-entries.ts'
import type { Amounts } from '../resources/amounts.ts'

/** The allocatable capacity of an instance type, and the offerings that have it (`docs/spec/instance-types.md#allocatable-groups`). */
export interface AllocatableGroup {
  readonly allocatable: Amounts
  readonly offerings: readonly Offering[]
}

const totalOverhead = (overhead: InstanceTypeOverhead): Map<string, bigint> => {
  const sum = new Map<string, bigint>()
  for (const part of [overhead.kubeReserved, overhead.systemReserved, overhead.evictionThreshold]) {
    for (const [name, amount] of amountEntries(part ?? {})) sum.set(name, (sum.get(name) ?? 0n) + amount)
  }
  return sum
}

const withoutOverhead = (capacity: Amounts, overhead: Amounts) => {
  const allocatable = new Map<string, bigint>()
  let hugePages = 0n
  for (const [name, amount] of capacity) {
    allocatable.set(name, amount - (overhead.get(name) ?? 0n))
    if (name.startsWith('hugepages-')) hugePages += amount
  }
  const memory = allocatable.get('memory')
  if (memory !== undefined && hugePages > 0n) {
    allocatable.set('memory', memory > hugePages ? memory - hugePages : 0n)
  }
  return allocatable
}

const overrideText = (resources: Resources | undefined): string =>
  JSON.stringify(
    amountEntries(resources ?? {})
      .map(([name, amount]) => `${name}=${amount}`)
      .sort(),
  )

const overrideKey = ({ capacityOverride, overheadOverride }: Offering): string =>
  capacityOverride === undefined && overheadOverride === undefined
    ? ''
    : [
        capacityOverride,
        overheadOverride?.kubeReserved,
        overheadOverride?.systemReserved,
        overheadOverride?.evictionThreshold,
      ]
        .map(overrideText)
        .join()

/** Returns the allocatable capacity of an instance type, without the overrides of individual offerings. */
export const typeAllocatable = ({ capacity, overhead }: InstanceType): Amounts =>
  withoutOverhead(new Map(amountEntries(capacity)), totalOverhead(overhead))

/**
 * Returns the allocatable capacities of an instance type: first the one without overrides, then one group for each distinct override among
 * the available offerings. Unavailable offerings belong to no group.
 */
export const allocatableGroups = (type: InstanceType): readonly AllocatableGroup[] => {
  const capacity = new Map<string, bigint>(amountEntries(type.capacity))
  const overhead = totalOverhead(type.overhead)
  const byOverride = new Map<string, Offering[]>([['', []]])
  for (const offering of type.offerings) {
    if (!offering.available) continue
    const key = overrideKey(offering)
    const group = byOverride.get(key)
    if (group === undefined) byOverride.set(key, [offering])
    else group.push(offering)
  }
  return [...byOverride].map(([key, offerings]) => {
    const [first] = offerings
    if (key === '' || first === undefined) return { allocatable: withoutOverhead(capacity, overhead), offerings }
    const ownCapacity = new Map([...capacity, ...amountEntries(first.capacityOverride ?? {})])
    const ownOverhead = new Map([...overhead, ...totalOverhead(first.overheadOverride ?? {})])
    return { allocatable: withoutOverhead(ownCapacity, ownOverhead), offerings }
  })
}
