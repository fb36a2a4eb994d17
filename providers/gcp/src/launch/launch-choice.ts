import { createHash } from 'node:crypto'
import { capacityTypes, labels, type NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type OfferingPattern, offeringCoordinates } from '@kerf/provider-contract'
import { type LaunchOption, launchDemand, launchOptions } from '@kerf/provider-kit'

const isSpot = ({ type, offering }: LaunchOption): boolean =>
  offeringCoordinates(type, offering).capacityType === capacityTypes.spot

/**
 * Returns a sort key that depends only on the NodeClaim and the zone. So claims spread over zones, and a restart chooses the same zone for
 * a claim.
 */
const zoneRank = (claimUid: string, option: LaunchOption): string =>
  createHash('sha256')
    .update(`${claimUid}\n${offeringCoordinates(option.type, option.offering).zone}`)
    .digest('hex')

/**
 * Returns the offering to launch for a NodeClaim, or undefined if nothing fits (`providers/gcp/docs/spec/gcp.md#create`). Prefers spot:
 * returns the cheapest spot offering if there is one, otherwise the cheapest on-demand offering. If several zones have the same price, the
 * claim's UID decides.
 */
export const chooseOption = (
  types: readonly InstanceType[],
  claim: NodeClaim,
  claimUid: string,
): LaunchOption | undefined => {
  const options = launchOptions(types, launchDemand(claim))
  const spot = options.filter(isSpot)
  const wanted = spot.length > 0 ? spot : options
  const [first] = wanted
  if (first === undefined) return undefined
  const [chosen] = wanted
    .filter(({ type, offering }) => type.name === first.type.name && offering.price === first.offering.price)
    .map((option) => ({ option, rank: zoneRank(claimUid, option) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
  return chosen?.option
}

/**
 * Returns the offering that the NodeClaim's labels identify. Kerf sets these labels as soon as the launch is pending. From then on, Kerf
 * plans pods for this offering, so it must not launch another one.
 */
export const promisedOffering = ({ metadata }: NodeClaim): Required<OfferingPattern> | undefined => {
  const {
    [labels.instanceType]: instanceType,
    [labels.zone]: zone,
    [labels.capacityType]: capacityType,
  } = metadata.labels ?? {}
  return instanceType === undefined || zone === undefined || capacityType === undefined
    ? undefined
    : { instanceType, zone, capacityType }
}

/** Returns the available offering with these coordinates, or undefined. */
export const optionAt = (
  types: readonly InstanceType[],
  { instanceType, zone, capacityType }: Required<OfferingPattern>,
): LaunchOption | undefined => {
  const type = types.find(({ name }) => name === instanceType)
  const offering = type?.offerings.find((each) => {
    const own = offeringCoordinates(type, each)
    return each.available && own.zone === zone && own.capacityType === capacityType
  })
  return type === undefined || offering === undefined ? undefined : { type, offering }
}
