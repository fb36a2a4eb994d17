import { ownValue } from '@kerf/apis'
import { type OfflineClassTypes, providerErrors, type RegionOffer } from '@kerf/provider-contract'
import type { Flavor } from '../api/bizfly-api.ts'
import type { BizflyCloudNodeClass, BizflyCloudNodeClassSpec } from '../node-class/bizfly-node-class.ts'
import { classProblems } from '../node-class/class-problems.ts'
import { offlineZones } from '../regions.ts'
import { CATEGORIES, flavorFacts, WEIGHT_TEXT } from './flavor-facts.ts'
import { instanceTypes } from './instance-types.ts'

const flavor = (name: string, vcpus: number, gib: number): Flavor => ({ name, vcpus, ram: gib * 1024 })

/** The flavors in the examples of Bizfly's own provider. No list of all flavors is published. */
const KNOWN: readonly Flavor[] = [
  flavor('b2.2c_2g', 2, 2),
  flavor('b2.4c_8g', 4, 8),
  flavor('p4a.2c_2g', 2, 2),
  flavor('p4a.4c_8g', 4, 8),
  flavor('p4a.8c_16g', 8, 16),
  flavor('p4a.16c_32g', 16, 32),
  flavor('e2.2c_2g', 2, 2),
  flavor('e2.4c_8g', 4, 8),
  flavor('e2.8c_16g', 8, 16),
]

/** Facts that only the account's API returns, so an offline command cannot check them. Each text completes a sentence. */
const NOT_LOOKED_AT = [
  'which flavors Bizfly Cloud sells (assumed: nine of its examples; a running Kerf reads all of them)',
  'which zones sell a flavor, and the quotas of the project (assumed: every flavor in every zone)',
]

/** Returns a class that allows everything, for plans without a class. */
const everything = (zones: readonly string[]): Pick<BizflyCloudNodeClass, 'metadata' | 'spec'> => {
  const spec: BizflyCloudNodeClassSpec = {
    ...{ template: '', zones, nodeCategories: CATEGORIES, diskTypes: ['SSD', 'HDD'] },
    networkPlans: ['free_datatransfer', 'free_bandwidth'],
  }
  return { metadata: { name: 'default' }, spec }
}

/**
 * Returns nine instance types with their offerings in one region. Their prices are weights, because Bizfly Cloud publishes none.
 *
 * @throws KerfError `UnknownRegion` if the zones of the region are unknown
 */
export const regionOffer = (region: string): RegionOffer => {
  const zones = ownValue(offlineZones, region)
  if (zones === undefined) throw providerErrors.UnknownRegion({ problem: `there are no zones of the region ${region}` })
  const flavors = KNOWN.flatMap((each) => flavorFacts(each) ?? [])
  const typesFor = (nodeClass: Pick<BizflyCloudNodeClass, 'metadata' | 'spec'>) =>
    instanceTypes(flavors, nodeClass, { region, capacityType: 'on-demand' })
  return {
    region,
    pricesOf: region,
    priceNote: `Bizfly Cloud publishes no prices: the plan minimises a weight, which is not an amount of money (${WEIGHT_TEXT}); NodeOverlays set prices`,
    types: () => typesFor(everything(zones)),
    // The caller passes only classes of this provider.
    forNodeClass: (nodeClass): OfflineClassTypes => {
      const problems = classProblems(nodeClass as BizflyCloudNodeClass)
      return {
        types: problems.length === 0 ? typesFor(nodeClass as BizflyCloudNodeClass) : [],
        notLookedAt: NOT_LOOKED_AT,
        problems,
      }
    },
  }
}
