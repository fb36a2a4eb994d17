import { formatQuantity, type Quantity, quantityFormat, toQuantity } from '@kerf/apis'
import { hourlyCost } from '../packing/ceilings.ts'
import type { Plan, PlannedClaim } from '../plan.ts'
import { type CeilingHeadroom, type ClusterSnapshot, HOURLY_COST, NODES, type PoolOption } from '../snapshot.ts'
import { type CountedAs, claimAmount, rounded } from './raised-limits.ts'

const ONE = toQuantity(1)
/** One US cent, in billionths of a US dollar. */
const CENT = ONE / 100n

/**
 * Returns the highest known price of the instance types with which a planned node is counted, because the cloud may launch any offering.
 */
const claimCost = (claim: PlannedClaim, option: PoolOption, countedAs: CountedAs): bigint => {
  const names = countedAs === 'cheapest' ? [claim.cheapest.instanceType] : claim.instanceTypes
  const costs = option.instanceTypes
    .filter(({ name }) => names.includes(name))
    .flatMap(({ offerings }) => offerings.flatMap(({ price }) => (price === undefined ? [] : hourlyCost(price))))
  return costs.reduce((most, each) => (each > most ? each : most), 0n)
}

const neededAmount = (
  name: string,
  { pools }: Pick<ClusterSnapshot, 'pools'>,
  { claims }: Pick<Plan, 'claims'>,
  countedAs: CountedAs,
): bigint =>
  claims.reduce((sum, claim) => {
    if (name === NODES) return sum + ONE
    const option = pools.find(({ nodePool }) => nodePool.metadata.name === claim.nodePool)
    if (option === undefined) return sum
    return (
      sum + (name === HOURLY_COST ? claimCost(claim, option, countedAs) : claimAmount(claim, option, name, countedAs))
    )
  }, 0n)

/** Rounds up to whole US cents, or as people write limits. */
const roundedCeiling = (name: string, amount: bigint): bigint =>
  name === HOURLY_COST ? ((amount + CENT - 1n) / CENT) * CENT : rounded(name, amount as Quantity)

/**
 * Returns the ceilings with these names, raised so that they cover the nodes of the cluster and the nodes that a plan launches. Ceilings
 * that already cover them are left out.
 */
export const raisedCeilings = (
  names: readonly string[],
  { most, free }: CeilingHeadroom,
  snapshot: Pick<ClusterSnapshot, 'pools'>,
  plan: Pick<Plan, 'claims'>,
  countedAs: CountedAs,
): ReadonlyMap<string, bigint> =>
  new Map(
    names.flatMap((name) => {
      const ceiling = most.get(name) ?? 0n
      const left = free.get(name) ?? 0n
      const needed = neededAmount(name, snapshot, plan, countedAs)
      return needed <= left ? [] : [[name, roundedCeiling(name, ceiling - left + needed)] as const]
    }),
  )

/** Returns an amount of a ceiling as users write it in a ClusterPolicy. */
export const ceilingText = (name: string, amount: bigint): string =>
  name === HOURLY_COST ? String(Number(amount) / 1e9) : formatQuantity(amount as Quantity, quantityFormat(name))

/** Returns the field of a ClusterPolicy that contains a ceiling. */
export const ceilingField = (name: string): string => {
  if (name === NODES || name === HOURLY_COST) return `spec.ceilings.${name}`
  return /^[a-z]+$/.test(name) ? `spec.ceilings.resources.${name}` : `spec.ceilings.resources["${name}"]`
}
