import { labels, type Milliseconds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { isDiscounted, matchesTypeName, offeringCoordinates } from '@kerf/provider-contract'
import { isForType, ONE, onDemandPrice, unitsOfType } from './commitment-units.ts'
import { readDiscounts } from './discounts.ts'
import { type CommitmentSpec, type PrepaidTerms, readPrepaid } from './prepaid-terms.ts'

/** A reason why a commitment does not have its full effect, and the remedy. */
export interface CommitmentProblem {
  readonly problem: string
  readonly remedy: string
}

const typeRegions = ({ requirements }: InstanceType): readonly string[] | undefined =>
  requirements.find(({ key, operator }) => key === labels.region && operator === 'In')?.values

const placeProblem = (
  { name, region, zone }: PrepaidTerms,
  covered: readonly InstanceType[],
): CommitmentProblem | undefined => {
  const regions = new Set(covered.flatMap((type) => typeRegions(type) ?? []))
  if (region !== undefined && regions.size > 0 && !regions.has(region))
    return {
      problem: `commitment ${name} is for the region ${region}, and the NodePools launch in ${[...regions].join(', ')}`,
      remedy: 'correct region, or remove the commitment from this cluster',
    }
  const places = covered.flatMap((type) =>
    type.offerings
      .map((offering) => offeringCoordinates(type, offering))
      .filter(({ capacityType }) => capacityType === 'on-demand'),
  )
  if (places.some((place) => (zone ?? place.zone) === place.zone)) return undefined
  const [first] = covered
  const offered = covered.length === 1 ? first?.name : 'its instance types'
  return {
    problem: `commitment ${name}: no NodePool offers ${offered} on-demand${zone === undefined ? '' : ` in the zone ${zone}`}, so it stays unused`,
    remedy: 'correct zone, or allow on-demand instances of this type in a NodePool',
  }
}

/** Returns the problem of a commitment whose unit no offered instance type has. Undefined if any type has it. */
const unitProblem = (terms: PrepaidTerms, matching: readonly InstanceType[]): CommitmentProblem | undefined => {
  const { name, unit, rates } = terms
  if (matching.some((type) => unitsOfType(terms, type.name, type) !== undefined)) {
    const tooHigh = [...(rates?.byType ?? [])].find(([type, rate]) => {
      const found = matching.find((each) => each.name === type)
      return found !== undefined && rate > (onDemandPrice(found) ?? Number.POSITIVE_INFINITY)
    })
    if (tooHigh === undefined) return undefined
    return {
      problem: `commitment ${name}: the rate of ${tooHigh[0]} is above its on-demand price`,
      remedy: 'state rates in US dollars per hour, or remove this rate',
    }
  }
  if (unit === 'normalizedUnits')
    return {
      problem: `commitment ${name}: its instance types have no normalised units, so it stays unused`,
      remedy: 'state the reserved instances with instanceType and count',
    }
  return {
    problem: `commitment ${name}: no instance type has a ${unit === 'vcpus' ? 'number of vCPUs' : 'rate'}, so it stays unused`,
    remedy: unit === 'vcpus' ? 'correct instanceTypes' : 'set rates.instanceTypes, or declare prices in spec.priceBook',
  }
}

/** Returns the problem of entries of `instanceTypes` that match no offered type, if other entries match one. */
const patternProblem = (
  name: string,
  patterns: readonly string[] | undefined,
  types: ReadonlyMap<string, InstanceType>,
): CommitmentProblem | undefined => {
  const names = [...types.keys()]
  const unknown = (patterns ?? []).filter((pattern) => !names.some((type) => matchesTypeName(pattern, type)))
  if (unknown.length === 0) return undefined
  return {
    problem: `commitment ${name}: no NodePool offers an instance type of ${unknown.join(', ')}, so these entries have no effect`,
    remedy: 'correct instanceTypes, or remove these entries',
  }
}

/** If the amortised price is higher than this multiple of the on-demand price, it is probably in another unit, for example USD a month. */
const IMPLAUSIBLE = 2

/** Returns the problem of an amortised price that is far above the on-demand price of every covered type. */
const priceProblem = (terms: PrepaidTerms, matching: readonly InstanceType[]): CommitmentProblem | undefined => {
  const { name, usdPerHour } = terms
  if (usdPerHour === undefined) return undefined
  const prices = matching.flatMap((type) => {
    const units = unitsOfType(terms, type.name, type)
    const price = onDemandPrice(type)
    return units === undefined || price === undefined ? [] : [(price * Number(ONE)) / Number(units)]
  })
  const highest = Math.max(...prices)
  if (prices.length === 0 || usdPerHour <= IMPLAUSIBLE * highest) return undefined
  return {
    problem: `commitment ${name}: usdPerHour (${usdPerHour}) is more than ${IMPLAUSIBLE} times the on-demand price (${Number(highest.toPrecision(4))})`,
    remedy: 'state the price of one instance, normalised unit or vCPU in US dollars per hour',
  }
}

const emptyProblem = ({ name, unit }: PrepaidTerms): CommitmentProblem =>
  unit === 'instances'
    ? {
        problem: `commitment ${name} covers no instance, because its count times its share is below 1`,
        remedy: 'raise its share, or remove it',
      }
    : {
        problem: `commitment ${name} covers nothing, because its amount times its share is 0`,
        remedy: 'raise its share, or remove it',
      }

const prepaidProblem = (
  terms: PrepaidTerms,
  types: ReadonlyMap<string, InstanceType>,
): CommitmentProblem | undefined => {
  const { name, unit, instanceTypes = [], covers, state } = terms
  if (state === 'Ended') return { problem: `commitment ${name} has ended`, remedy: 'remove it, or correct its end' }
  if (covers === 0) return emptyProblem(terms)
  if (types.size === 0) return undefined
  const matching = [...types.values()].filter((type) => isForType(terms, type.name))
  if (matching.length === 0)
    return unit === 'instances'
      ? {
          problem: `commitment ${name}: no NodePool offers the instance type ${instanceTypes.join()}, so it stays unused`,
          remedy: 'correct instanceType, or allow this type in a NodePool',
        }
      : {
          problem: `commitment ${name}: no NodePool offers an instance type of ${instanceTypes.join(', ')}, so it stays unused`,
          remedy: 'correct instanceTypes, or allow these types in a NodePool',
        }
  return (
    unitProblem(terms, matching) ??
    placeProblem(terms, matching) ??
    patternProblem(name, instanceTypes, types) ??
    priceProblem(terms, matching)
  )
}

/** Returns a problem for each discount that applies to no offering, and for each discount that another one overrides on some offering. */
const discountProblems = (
  specs: readonly CommitmentSpec[],
  types: ReadonlyMap<string, InstanceType>,
): readonly CommitmentProblem[] => {
  const discounts = specs.flatMap((spec) => readDiscounts([spec]).map((discount) => ({ name: spec.name, discount })))
  const offerings = [...types.values()].flatMap((type) =>
    type.offerings.map((offering) => offeringCoordinates(type, offering)),
  )
  return discounts.flatMap(({ name, discount }, place): readonly CommitmentProblem[] => {
    const own = offerings.filter(({ instanceType, capacityType }) => isDiscounted(discount, instanceType, capacityType))
    if (types.size > 0 && own.length === 0)
      return [
        {
          problem: `commitment ${name}: no NodePool offers an instance type with this discount`,
          remedy: 'correct instanceTypes, or remove the commitment',
        },
      ]
    const unknown = types.size === 0 ? undefined : patternProblem(name, discount.instanceTypes, types)
    const found = unknown === undefined ? [] : [unknown]
    const earlier = discounts
      .slice(0, place)
      .find((other) =>
        own.some(({ instanceType, capacityType }) => isDiscounted(other.discount, instanceType, capacityType)),
      )
    if (earlier === undefined) return found
    return [
      ...found,
      {
        problem: `commitments ${earlier.name} and ${name} are discounts on the same instance types; the first in the list applies`,
        remedy: 'limit instanceTypes of one of them',
      },
    ]
  })
}

/**
 * Returns why commitments do not have their full effect. These problems do not change how other commitments apply. `types` contains the
 * instance types of all NodePools by name. It is empty if the types are not known. `overridden` are the names of commitments of the source
 * that do not apply, because the policy has commitments with the same names.
 */
export const commitmentProblems = (
  specs: readonly CommitmentSpec[],
  types: ReadonlyMap<string, InstanceType>,
  now: Milliseconds,
  overridden: readonly string[],
): readonly CommitmentProblem[] => [
  ...readPrepaid(specs, now).flatMap((terms) => prepaidProblem(terms, types) ?? []),
  ...discountProblems(specs, types),
  ...overridden.map((name) => ({
    problem: `commitment ${name} is in spec.commitments and in the source of spec.commitmentSource; the one in spec.commitments applies`,
    remedy: 'remove or rename one of them',
  })),
]
