import type { NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'

export interface TrialTypeChoice {
  /** The NodePools whose pods depend on the result of the trial. */
  readonly pools: readonly NodePool[]
  /** Returns whether most accounts can launch the instance type. Such types are used if the NodePools allow no types. */
  readonly isUsual: (type: InstanceType) => boolean
  /**
   * Returns whether the instance type has no special features such as accelerators. All other types are tried last, because few accounts
   * may launch them.
   */
  readonly isPlain: (type: InstanceType) => boolean
}

const isWanted = (type: InstanceType, pools: readonly NodePool[]): boolean =>
  pools.some(({ spec }) => {
    const fixed = Object.entries(spec.template.metadata?.labels ?? {}).map(([key, value]) => ({
      key,
      operator: 'In' as const,
      values: [value],
    }))
    return areCompatible([...(spec.template.spec.requirements ?? []), ...fixed], type.requirements)
  })

/** Returns the lowest price of an available offering, or infinity if there is none. */
const instanceTypePrice = ({ offerings }: InstanceType): number =>
  Math.min(...offerings.filter(({ available }) => available).map(({ price = Number.POSITIVE_INFINITY }) => price))

const instanceTypeFamily = ({ name }: InstanceType): string => name.split('.')[0] ?? ''

/**
 * Sorts types so that the cheapest type of each family comes first, then the second cheapest of each family, and so on. A problem with one
 * type often affects its whole family.
 */
const varied = (types: readonly InstanceType[]): readonly InstanceType[] => {
  const seen = new Map<string, number>()
  return types
    .map((type) => ({ type, price: instanceTypePrice(type) }))
    .toSorted((a, b) => (a.price === b.price ? (a.type.name < b.type.name ? -1 : 1) : a.price - b.price))
    .map((each) => {
      const turn = seen.get(instanceTypeFamily(each.type)) ?? 0
      seen.set(instanceTypeFamily(each.type), turn + 1)
      return { ...each, turn }
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ type }) => type)
}

/**
 * Returns the instance types for a trial launch. The types that are most likely to succeed come first. They are types that the NodePools
 * allow. If there are none, they are common types, and otherwise any types.
 */
export const likeliestTypes = (
  types: readonly InstanceType[],
  { pools, isUsual, isPlain }: TrialTypeChoice,
): readonly InstanceType[] => {
  const wanted = types.filter((type) => isWanted(type, pools))
  const usual = types.filter(isUsual)
  const chosen = wanted.length > 0 ? wanted : usual.length > 0 ? usual : types
  const plain = chosen.filter(isPlain)
  return varied(plain.length > 0 ? plain : chosen)
}
