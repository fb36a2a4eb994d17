import { labels, type Milliseconds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { isDiscounted, offeringCoordinates } from '@kerf/provider-contract'
import { readDiscounts } from './discounts.ts'
import { type CommitmentSpec, type PrepaidTerms, readPrepaid } from './prepaid-terms.ts'

/** A reason why a commitment does not have its full effect, and what to do about it. */
export interface CommitmentProblem {
  readonly problem: string
  readonly remedy: string
}

const typeRegions = ({ requirements }: InstanceType): readonly string[] | undefined =>
  requirements.find(({ key, operator }) => key === labels.region && operator === 'In')?.values

const prepaidProblem = (
  { name, instanceType, region, zone, covers, state }: PrepaidTerms,
  types: ReadonlyMap<string, InstanceType>,
): CommitmentProblem | undefined => {
  if (state === 'Ended') return { problem: `commitment ${name} has ended`, remedy: 'remove it, or correct its end' }
  if (covers === 0)
    return {
      problem: `commitment ${name} covers no instance, because its count times its share is below 1`,
      remedy: 'raise its share, or remove it',
    }
  if (types.size === 0) return undefined
  const type = types.get(instanceType)
  if (type === undefined)
    return {
      problem: `commitment ${name}: no NodePool offers the instance type ${instanceType}, so it stays unused`,
      remedy: 'correct instanceType, or allow this type in a NodePool',
    }
  const regions = typeRegions(type)
  if (region !== undefined && regions !== undefined && !regions.includes(region))
    return {
      problem: `commitment ${name} is for the region ${region}, and the NodePools launch in ${regions.join(', ')}`,
      remedy: 'correct region, or remove the commitment from this cluster',
    }
  const places = type.offerings
    .map((offering) => offeringCoordinates(type, offering))
    .filter(({ capacityType }) => capacityType === 'on-demand')
  if (places.some((place) => (zone ?? place.zone) === place.zone)) return undefined
  return {
    problem: `commitment ${name}: no NodePool offers ${instanceType} on-demand${zone === undefined ? '' : ` in the zone ${zone}`}, so it stays unused`,
    remedy: 'correct zone, or allow on-demand instances of this type in a NodePool',
  }
}

/** Returns a problem for each discount that another discount overrides on some offering, and for each discount that applies to nothing. */
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
    const earlier = discounts
      .slice(0, place)
      .find((other) =>
        own.some(({ instanceType, capacityType }) => isDiscounted(other.discount, instanceType, capacityType)),
      )
    if (earlier === undefined) return []
    return [
      {
        problem: `commitments ${earlier.name} and ${name} are discounts on the same instance types; the first in the list applies`,
        remedy: 'limit instanceTypes of one of them',
      },
    ]
  })
}

/**
 * Returns why commitments do not have their full effect. None of these problems changes how other commitments apply. `types` contains the
 * instance types of all NodePools by name. It is empty if they are not known.
 */
export const commitmentProblems = (
  specs: readonly CommitmentSpec[],
  types: ReadonlyMap<string, InstanceType>,
  now: Milliseconds,
): readonly CommitmentProblem[] => [
  ...readPrepaid(specs, now).flatMap((terms) => prepaidProblem(terms, types) ?? []),
  ...discountProblems(specs, types),
]
