import { type ClusterPolicy, type NodeClaim, ownValue, type Quantity, tryParseQuantity } from '@kerf/apis'
import { HOURLY_COST, hourlyCost, type InstanceType, NODES, type Resources } from '@kerf/engine'
import { areCompatible, usableOfferings } from '@kerf/provider-contract'
import { largestCapacity } from '../unlaunched-capacity.ts'

/** Amounts in billionths, by the name of the ceiling. */
export type CeilingAmounts = ReadonlyMap<string, bigint>

const ONE = 1_000_000_000n

/** The ceilings of a policy, and how many replacement nodes may exceed them. */
export interface PolicyCeilings {
  readonly most: CeilingAmounts
  readonly surge: number
  /** The fields that are not valid quantities. They count as 0, because an invalid ceiling must not mean "no ceiling". */
  readonly invalid: readonly string[]
}

/** Returns the ceilings of a policy, or undefined if it has none. */
export const readCeilings = (policy: Pick<ClusterPolicy, 'spec'> | undefined): PolicyCeilings | undefined => {
  const ceilings = policy?.spec.ceilings
  if (ceilings === undefined) return undefined
  const invalid: string[] = []
  const most = new Map<string, bigint>()
  const put = (name: string, field: string, text: string | number): void => {
    const amount = tryParseQuantity(text)
    if (amount === undefined || amount < 0n) invalid.push(`spec.ceilings.${field}`)
    most.set(name, amount === undefined || amount < 0n ? 0n : amount)
  }
  if (ceilings.nodes !== undefined) put(NODES, 'nodes', ceilings.nodes)
  for (const [name, text] of Object.entries(ceilings.resources ?? {}))
    if (name !== NODES && name !== HOURLY_COST) put(name, `resources.${name}`, text)
  if (ceilings.usdPerHour !== undefined) put(HOURLY_COST, 'usdPerHour', ceilings.usdPerHour)
  return most.size === 0 ? undefined : { most, surge: Math.max(0, ceilings.surge ?? 1), invalid }
}

/** Returns how much of each ceiling one node uses. An unknown price of a running node counts as 0. */
export const nodeAmounts = (
  { most }: Pick<PolicyCeilings, 'most'>,
  capacity: Resources,
  price: bigint,
): CeilingAmounts =>
  new Map(
    Array.from(most.keys(), (name) => {
      if (name === NODES) return [name, ONE]
      if (name === HOURLY_COST) return [name, price]
      return [name, ownValue<Quantity>(capacity, name) ?? 0n]
    }),
  )

/** Returns the most that the instance of a claim may use, with any of the claim's types and offerings. */
export const claimAmounts = (
  ceilings: Pick<PolicyCeilings, 'most'>,
  claim: NodeClaim,
  all: Iterable<InstanceType>,
): CeilingAmounts => {
  const { requirements } = claim.spec
  const types = [...all].filter((type) => areCompatible(requirements, type.requirements))
  const prices = types.flatMap((type) => usableOfferings(type, requirements).map(({ price }) => hourlyCost(price)))
  const price = prices.reduce((most, each) => (each > most ? each : most), 0n)
  return nodeAmounts(ceilings, largestCapacity(claim, {}, types), price)
}

/** Returns the price of a running node, as it counts towards a ceiling. */
export const runningPrice = (price: number | undefined): bigint => (price === undefined ? 0n : hourlyCost(price))
