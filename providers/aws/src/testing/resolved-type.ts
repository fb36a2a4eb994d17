import { parseQuantity, toWhole } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { VirtualClock } from '@kerf/runtime'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { awsInstanceType } from '../instance-type/instance-type.ts'
import { defaultTypeSettings, type TypeSettings } from '../instance-type/type-settings.ts'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { nodeClassTraits, type PlacementGroup } from '../node-class/node-class-traits.ts'
import { insufficientCapacity } from '../offerings/insufficient-capacity.ts'
import type { Market } from '../offerings/offerings.ts'
import type { InstanceTypeFacts } from '../tables/instance-facts.ts'

export const testSettings: TypeSettings = { ...defaultTypeSettings, region: 'us-east-1' }
const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c']

/** Returns a market in which everything is available. */
export const openMarket = (changes: Partial<Market> = {}): Market => ({
  prices: { onDemand: () => 1, spot: () => 0.4 },
  insufficient: insufficientCapacity(new VirtualClock()),
  zones: ZONES,
  subnets: new Map(),
  shiftedZones: new Set(),
  reservationCapacity: () => 0,
  reservedCapacity: true,
  ...changes,
})

/** The differences from the default harness. */
export interface Setting {
  readonly spec?: Partial<EC2NodeClassSpec>
  readonly settings?: Partial<TypeSettings>
  readonly facts?: InstanceTypeFacts
  readonly market?: Partial<Market>
  readonly group?: PlacementGroup
}

/** Returns the instance type for a node class with subnets in zones a (with its id) and b. EC2 offers it in a and c. */
export const resolve = (type: Ec2InstanceType, { spec, group, ...rest }: Setting = {}): InstanceType =>
  awsInstanceType({
    type,
    facts: rest.facts ?? {},
    traits: nodeClassTraits(
      {
        spec: {
          amiFamily: 'AL2023',
          amiSelectorTerms: [],
          subnetSelectorTerms: [],
          securityGroupSelectorTerms: [],
          ...spec,
        },
        status: {
          subnets: [
            { id: 'subnet-a', zone: 'us-east-1a', zoneID: 'use1-az1' },
            { id: 'subnet-b', zone: 'us-east-1b' },
          ],
        },
      },
      group,
    ),
    settings: { ...testSettings, ...rest.settings },
    market: openMarket(rest.market),
    offeredIn: new Set(['us-east-1a', 'us-east-1c']),
  })

export const MIB = 1024 * 1024
/** Returns the amount of a resource in whole units. */
export const bytes = (type: InstanceType, name: string): number => toWhole(type.capacity[name] ?? parseQuantity(0))
