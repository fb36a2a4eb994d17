import type { UsdPerHour } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { AwsApi } from '../../api/aws-api.ts'
import { awsPriceBook } from '../../pricing/price-book.ts'

/** Small instance types that most regions have. The cheapest available one is launched. */
const SMALL = [
  ...['t3.small', 't3a.small', 't3.medium', 't3a.medium', 't3.large', 't4g.small', 't4g.medium'],
  ...['m5.large', 'm6i.large', 'm6g.large', 'c5.large', 'c6i.large', 'r5.large'],
]
/** Matches general-purpose instance types. For these types, only the zone can be the reason for a refusal. */
const GENERAL = /^[cmrt]\d[a-z]*\.[a-z]*large$/

/** The instance types to launch, and a type that EC2 must refuse. */
export interface ChosenTypes {
  readonly types: readonly string[]
  /** The on-demand price of the most expensive of these instance types. */
  readonly price: UsdPerHour | undefined
  /** An instance type that the region offers, and a zone that does not offer it. Undefined if every zone offers every type. */
  readonly refused: { readonly type: string; readonly zone: string } | undefined
}

/**
 * Chooses instance types that EC2 offers in the zones of the subnets. Reads only.
 * @param zones the zones of the subnets
 */
export const chooseTypes = async (
  ec2: AwsApi['ec2'],
  of: { readonly region: string; readonly zones: readonly string[]; readonly clock: Clock },
  signal: AbortSignal,
): Promise<ChosenTypes> => {
  const offered = new Map<string, Set<string>>()
  for (const { InstanceType = '', Location = '' } of await ec2.describeInstanceTypeOfferings(signal))
    offered.set(InstanceType, (offered.get(InstanceType) ?? new Set()).add(Location))
  const prices = new Map(
    awsPriceBook(of.clock, { region: of.region })
      .listing()
      .map(({ type, onDemand }) => [type, onDemand?.price]),
  )
  const types = SMALL.filter((type) => of.zones.some((zone) => offered.get(type)?.has(zone) === true))
  const known = types.flatMap((type) => prices.get(type) ?? [])
  const [refused] = [...offered]
    .filter(([type]) => GENERAL.test(type) && prices.get(type) !== undefined)
    .toSorted(([a], [b]) => (prices.get(a) ?? 0) - (prices.get(b) ?? 0) || (a < b ? -1 : 1))
    .flatMap(([type, zones]) => of.zones.filter((zone) => !zones.has(zone)).map((zone) => ({ type, zone })))
  return { types, price: known.length === 0 ? undefined : Math.max(...known), refused }
}
