import { labels, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { matchesTypeName, offeringCoordinates } from '@kerf/provider-contract'
import type { PrepaidTerms } from './prepaid-terms.ts'

/** One unit of a commitment, in billionths. */
export const ONE = 1_000_000_000n

/** Returns an amount of a commitment in billionths of its unit. */
export const inBillionths = (amount: number): bigint => BigInt(Math.round(amount * 1e9))

/** Returns whether a commitment covers instance types of this name. */
export const isForType = ({ instanceTypes }: PrepaidTerms, name: string): boolean =>
  instanceTypes === undefined || instanceTypes.some((pattern) => matchesTypeName(pattern, name))

/** Returns the highest on-demand price of an instance type, or undefined if the price of any on-demand offering is unknown. */
export const onDemandPrice = (type: InstanceType): number | undefined => {
  const prices = type.offerings
    .filter((offering) => offeringCoordinates(type, offering).capacityType === 'on-demand')
    .map(({ price }) => price)
  return prices.reduce<number | undefined>(
    (highest, price) => (highest === undefined || price === undefined ? undefined : Math.max(highest, price)),
    prices.length === 0 ? undefined : 0,
  )
}

/**
 * Returns how much of a commitment one instance of a type uses, in billionths of the commitment's unit (`docs/spec/policies.md#units`).
 * Returns undefined if the commitment does not cover the type. `type` is undefined if no NodePool offers it.
 */
export const unitsOfType = (terms: PrepaidTerms, name: string, type: InstanceType | undefined): bigint | undefined => {
  const units = isForType(terms, name) ? rawUnits(terms, name, type) : 0n
  return units > 0n ? units : undefined
}

const rawUnits = (terms: PrepaidTerms, name: string, type: InstanceType | undefined): bigint => {
  switch (terms.unit) {
    case 'instances':
      return ONE
    case 'normalizedUnits':
      return inBillionths(type?.normalizedUnits ?? 0)
    case 'vcpus':
      return type === undefined ? 0n : (ownValue(type.capacity, 'cpu') ?? 0n)
    case 'usdPerHour':
      return inBillionths(rateOfType(terms, name, type) ?? 0)
  }
}

const rateOfType = ({ rates }: PrepaidTerms, name: string, type: InstanceType | undefined): number | undefined => {
  const own = rates?.byType.get(name)
  if (own !== undefined || rates?.factor === undefined || type === undefined) return own
  const price = onDemandPrice(type)
  return price === undefined ? undefined : price * rates.factor
}

/**
 * Returns the fraction of the on-demand price that a savings plan saves on a type. Savings plans apply first where this fraction is
 * highest. Returns 0 for other commitments, and if the price is unknown.
 */
export const savingOnType = (terms: PrepaidTerms, name: string, type: InstanceType | undefined): number => {
  const rate = rateOfType(terms, name, type)
  const price = type === undefined ? undefined : onDemandPrice(type)
  return rate === undefined || price === undefined || price <= 0 ? 0 : 1 - rate / price
}

/** Returns whether the commitment applies to the region and zone in the labels. Also true if the labels contain no region. */
export const isInPlace = ({ region, zone }: PrepaidTerms, own: Readonly<Record<string, string>>): boolean =>
  (zone === undefined || own[labels.zone] === zone) &&
  (region === undefined || (own[labels.region] ?? region) === region)
