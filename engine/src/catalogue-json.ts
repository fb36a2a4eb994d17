import { formatQuantity, parseResources, quantityFormatOf } from '@kerf/apis'
import type { InstanceType, Offering, Resources } from './instance-type.ts'

type Amounts = Readonly<Record<string, string>>
type Overhead = Partial<Readonly<Record<'kubeReserved' | 'systemReserved' | 'evictionThreshold', Amounts>>>

/** An `InstanceType` as JSON: exact amounts as the text of quantities, everything else as it is. */
export interface InstanceTypeJson {
  readonly name: string
  readonly requirements: InstanceType['requirements']
  readonly capacity: Amounts
  readonly overhead: Overhead
  readonly offerings: readonly (Omit<Offering, 'capacityOverride' | 'overheadOverride'> & {
    readonly capacityOverride?: Amounts
    readonly overheadOverride?: Overhead
  })[]
  readonly capacityOverlayApplied?: boolean
}

const amounts = (resources: Resources): Amounts =>
  Object.fromEntries(
    Object.entries(resources).map(([name, amount]) => [name, formatQuantity(amount, quantityFormatOf(name))]),
  )

const OVERHEADS = ['kubeReserved', 'systemReserved', 'evictionThreshold'] as const

const mapOverhead = <From, To>(
  overhead: Partial<Record<(typeof OVERHEADS)[number], From>>,
  change: (part: From) => To,
): Partial<Record<(typeof OVERHEADS)[number], To>> => {
  const changed: Partial<Record<(typeof OVERHEADS)[number], To>> = {}
  for (const name of OVERHEADS) {
    const part = overhead[name]
    if (part !== undefined) changed[name] = change(part)
  }
  return changed
}

/** For answers over HTTP: what `instanceTypeFromJson` reads back is equal. */
export const instanceTypeToJson = (type: InstanceType): InstanceTypeJson => ({
  ...type,
  capacity: amounts(type.capacity),
  overhead: mapOverhead(type.overhead, amounts),
  offerings: type.offerings.map(({ capacityOverride, overheadOverride, ...offering }) => ({
    ...offering,
    ...(capacityOverride === undefined ? {} : { capacityOverride: amounts(capacityOverride) }),
    ...(overheadOverride === undefined ? {} : { overheadOverride: mapOverhead(overheadOverride, amounts) }),
  })),
})

/** @throws QuantityError for an amount that is none: the sender is not what it says it is */
export const instanceTypeFromJson = (json: InstanceTypeJson): InstanceType => ({
  ...json,
  capacity: parseResources(json.capacity),
  overhead: mapOverhead(json.overhead, parseResources),
  offerings: json.offerings.map(({ capacityOverride, overheadOverride, ...offering }) => ({
    ...offering,
    ...(capacityOverride === undefined ? {} : { capacityOverride: parseResources(capacityOverride) }),
    ...(overheadOverride === undefined ? {} : { overheadOverride: mapOverhead(overheadOverride, parseResources) }),
  })),
})
