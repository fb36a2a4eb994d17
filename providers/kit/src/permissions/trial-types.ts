import type { NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'

export interface TrialTypeChoice {
  /** Whose pods depend on the outcome. */
  readonly pools: readonly NodePool[]
  /** What most accounts can launch, for when no pool can launch anything. */
  readonly isUsual: (type: InstanceType) => boolean
  /** What few accounts may launch, such as types with accelerators, is tried only when there is nothing else. */
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

/** What an instance costs where it can be had; what cannot be had anywhere comes last. */
const priceOf = ({ offerings }: InstanceType): number =>
  Math.min(...offerings.filter(({ available }) => available).map(({ price = Number.POSITIVE_INFINITY }) => price))

const familyOf = ({ name }: InstanceType): string => name.split('.')[0] ?? ''

/** The cheapest of each family, then the second cheapest of each: what is wrong with one is often wrong with its family. */
const varied = (types: readonly InstanceType[]): readonly InstanceType[] => {
  const seen = new Map<string, number>()
  return types
    .map((type) => ({ type, price: priceOf(type) }))
    .toSorted((a, b) => (a.price === b.price ? (a.type.name < b.type.name ? -1 : 1) : a.price - b.price))
    .map((each) => {
      const turn = seen.get(familyOf(each.type)) ?? 0
      seen.set(familyOf(each.type), turn + 1)
      return { ...each, turn }
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ type }) => type)
}

/** The types to try a launch with, the likeliest first: what the NodePools may launch, else what is usual, else any. */
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
