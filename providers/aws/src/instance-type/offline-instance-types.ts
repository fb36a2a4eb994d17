import type { InstanceType } from '@kerf/engine'
import type { EC2NodeClass, EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { nodeClassTraits } from '../node-class/node-class-traits.ts'
import { USUAL_REGION } from '../regions.ts'
import { readInstanceFacts } from '../tables/instance-facts.ts'
import { awsInstanceType } from './instance-type.ts'
import { type OfflineMarket, offlineMarket } from './offline-market.ts'
import { defaultTypeSettings } from './type-settings.ts'

/** A node class with a subnet in every zone, with Amazon Linux 2023 and default values otherwise. */
const plainClass: EC2NodeClassSpec = {
  amiFamily: 'AL2023',
  amiSelectorTerms: [],
  subnetSelectorTerms: [],
  securityGroupSelectorTerms: [],
}

/**
 * Returns the EC2 instance types of a region for plans and simulations, without calling EC2. The result contains every type of the region
 * with a known price, with the labels, capacity and overhead of the node class
 * (`providers/aws/docs/spec/aws-emulation.md#instance-types-offline`). If the class has no subnets in its status, every zone is used.
 *
 * @throws KubeletFieldError for kubelet settings of a wrong type.
 */
export const offlineInstanceTypes = (
  nodeClass: Pick<EC2NodeClass, 'spec' | 'status'> = { spec: plainClass },
  { region, zones, types, prices }: OfflineMarket = offlineMarket(USUAL_REGION),
): readonly InstanceType[] => {
  const known = nodeClass.status?.subnets ?? []
  const subnets = known.length > 0 ? known : zones.map((zone) => ({ id: `subnet-${zone}`, zone }))
  const traits = nodeClassTraits({ spec: nodeClass.spec, status: { ...nodeClass.status, subnets } })
  const facts = readInstanceFacts()
  const market = {
    prices,
    insufficient: { reasonFor: () => undefined },
    zones,
    subnets: new Map([...Map.groupBy(subnets, ({ zone }) => zone)].map(([zone, of]) => [zone, of.map(({ id }) => id)])),
    shiftedZones: new Set<string>(),
    reservationCapacity: () => 0,
    reservedCapacity: false,
  }
  return types
    .map(({ type, zones: offered }) => {
      const resolved = awsInstanceType({
        type,
        facts: facts.get(type.InstanceType ?? '') ?? {},
        traits,
        settings: { ...defaultTypeSettings, region },
        market,
        offeredIn: new Set(offered),
      })
      return { ...resolved, offerings: resolved.offerings.filter(({ available }) => available) }
    })
    .filter(({ offerings }) => offerings.length > 0)
}
