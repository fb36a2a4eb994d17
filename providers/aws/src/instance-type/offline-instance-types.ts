import type { EC2NodeClass, EC2NodeClassSpec } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Prices } from '@kerf/provider-kit'
import { nodeClassTraits } from '../node-class/node-class-traits.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { INSTANCE_TYPES } from '../tables/generated/instance-types.ts'
import { readInstanceFacts } from '../tables/instance-facts.ts'
import { OFFLINE_REGION, readOfflineTypes } from '../tables/offline-types.ts'
import { instanceTypeOf } from './instance-type.ts'
import { defaultTypeSettings } from './type-settings.ts'

/**
 * What spot instances cost of the on-demand price where nobody can ask. An estimate: it differs by type, zone and hour,
 * and this keeps the order of things.
 */
export const OFFLINE_SPOT_FACTOR = 0.4

/** On-demand prices as AWS published them, spot prices estimated; a type whose price nobody knows has none. */
export const offlinePrices = (): Prices => {
  const { onDemand } = firstPrices(OFFLINE_REGION)
  const spot = (name: string): number | undefined => {
    const price = onDemand.get(name)
    return price === undefined ? undefined : Math.round(price * OFFLINE_SPOT_FACTOR * 1e6) / 1e6
  }
  return { onDemand: (name) => onDemand.get(name), spot }
}

/** A class with a subnet in every zone, of Amazon Linux 2023 and otherwise of defaults. */
const plainClass: EC2NodeClassSpec = {
  amiFamily: 'AL2023',
  amiSelectorTerms: [],
  subnetSelectorTerms: [],
  securityGroupSelectorTerms: [],
}

/**
 * EC2's instance types without EC2, for plans and rehearsals: every type that us-east-1 has and whose price is known, with
 * the labels, capacities and overheads of the class (`docs/spec/aws-emulation.md#instance-types-offline`). A class that knows no
 * subnets yet has one in every zone.
 *
 * @throws KubeletFieldError for kubelet settings of a wrong type.
 */
export const offlineInstanceTypes = (
  nodeClass: Pick<EC2NodeClass, 'spec' | 'status'> = { spec: plainClass },
): readonly InstanceType[] => {
  const types = [...readOfflineTypes(INSTANCE_TYPES)]
  const zones = [...new Set(types.flatMap((each) => each.zones))].sort()
  const known = nodeClass.status?.subnets ?? []
  const subnets = known.length > 0 ? known : zones.map((zone) => ({ id: `subnet-${zone}`, zone }))
  const traits = nodeClassTraits({ spec: nodeClass.spec, status: { ...nodeClass.status, subnets } })
  const facts = readInstanceFacts()
  const market = {
    prices: offlinePrices(),
    insufficient: { reasonFor: () => undefined },
    zones,
    subnets: new Map([...Map.groupBy(subnets, ({ zone }) => zone)].map(([zone, of]) => [zone, of.map(({ id }) => id)])),
    shiftedZones: new Set<string>(),
    reservationCapacity: () => 0,
    reservedCapacity: false,
  }
  return types
    .map(({ type, zones: offered }) => {
      const resolved = instanceTypeOf({
        type,
        facts: facts.get(type.InstanceType ?? '') ?? {},
        traits,
        settings: { ...defaultTypeSettings, region: OFFLINE_REGION },
        market,
        offeredIn: new Set(offered),
      })
      return { ...resolved, offerings: resolved.offerings.filter(({ available }) => available) }
    })
    .filter(({ offerings }) => offerings.length > 0)
}
