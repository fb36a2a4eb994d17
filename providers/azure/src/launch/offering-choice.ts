import { capacityTypes, labels } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { comparePrices } from '@kerf/provider-contract'
import { fittingOfferings, type LaunchDemand, type LaunchOption } from '@kerf/provider-kit'
import type { Random } from '@kerf/runtime'
import { azureLabels } from '../label-names.ts'

const offeringLabel = ({ requirements }: Offering, key: string): string | undefined =>
  requirements.find((each) => each.key === key)?.values?.[0]

/** Compares offerings: by price, then spot before on-demand, then zonal before regional. */
const compareOfferings = (a: Offering, b: Offering): number => {
  const rank = (offering: Offering): number =>
    (offeringLabel(offering, labels.capacityType) === capacityTypes.spot ? 0 : 2) +
    (offeringLabel(offering, azureLabels.placementScope) === 'regional' ? 1 : 0)
  return comparePrices(a.price, b.price) || rank(a) - rank(b)
}

/** Returns the list in random order (Fisher–Yates). */
const shuffled = <T>(list: readonly T[], random: Random): readonly T[] => {
  const left = [...list]
  return list.flatMap(() => left.splice(Math.floor(random.next() * left.length), 1))
}

/**
 * Returns the offering with which Kerf launches a NodeClaim (`providers/azure/docs/spec/azure.md#allocation-strategy`), or undefined if
 * none fits. It is the cheapest offering. Among equally cheap ones, spot comes before on-demand and zonal before regional. After that, the
 * zone is random, and the first size by name is used.
 */
export const chooseOffering = (
  types: readonly InstanceType[],
  demand: LaunchDemand,
  random: Random,
): LaunchOption | undefined => {
  const best = types.flatMap((type): LaunchOption[] => {
    const [offering] = shuffled(fittingOfferings(type, demand), random).toSorted(compareOfferings)
    return offering === undefined ? [] : [{ type, offering }]
  })
  const [first] = best.toSorted(
    (a, b) => compareOfferings(a.offering, b.offering) || (a.type.name < b.type.name ? -1 : 1),
  )
  return first
}
