import { formatResources, parseResources } from '@kerf/apis'
import type { InstanceType, Offering } from './instance-type.ts'

type Amounts = Readonly<Record<string, string>>
type Overhead = Partial<Readonly<Record<'kubeReserved' | 'systemReserved' | 'evictionThreshold', Amounts>>>

/** An `InstanceType` as JSON: quantities are strings, and all other fields are unchanged. */
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
  readonly normalizedUnits?: number
}

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

/** Returns an instance type as JSON, for responses over HTTP. `instanceTypeFromJson` turns it back into an equal object. */
export const instanceTypeToJson = (type: InstanceType): InstanceTypeJson => ({
  ...type,
  capacity: formatResources(type.capacity),
  overhead: mapOverhead(type.overhead, formatResources),
  offerings: type.offerings.map(({ capacityOverride, overheadOverride, ...offering }) => ({
    ...offering,
    ...(capacityOverride === undefined ? {} : { capacityOverride: formatResources(capacityOverride) }),
    ...(overheadOverride === undefined ? {} : { overheadOverride: mapOverhead(overheadOverride, formatResources) }),
  })),
})

/** Converts the result of `instanceTypeToJson` back to an instance type. @throws QuantityError if an amount is not a valid quantity */
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
