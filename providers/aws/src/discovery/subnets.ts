import type { Filter } from '@aws-sdk/client-ec2'
import type { Milliseconds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type SubnetAddresses, singleValue } from '@kerf/provider-contract'
import { nodeClassKey, ReadCache } from '@kerf/provider-kit'
import { type Clock, TtlCache } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, tagFilters } from '../api/aws-api.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

/** A subnet in the form of the node class status. */
export interface FoundSubnet {
  readonly id: string
  readonly zone: string
  readonly zoneID?: string
}

/** The subnets that a launch may use, one per zone, and the number of addresses that the launch is expected to use in each subnet. */
export interface SubnetChoice {
  readonly byZone: ReadonlyMap<string, FoundSubnet>
  /** For each subnet (by ID), the free addresses in the last reading, and the addresses that the launch is expected to use. */
  readonly reserved: ReadonlyMap<string, { readonly counted: number; readonly addresses: number }>
}

const MINUTE: Milliseconds = 60_000

const termQueries = (terms: EC2NodeClass['spec']['subnetSelectorTerms']): readonly (readonly Filter[])[] => {
  const ids = terms.flatMap(({ id }) => id ?? [])
  const byTags = terms.flatMap(({ id, tags }) => (id === undefined && tags !== undefined ? [tagFilters(tags)] : []))
  return [...(ids.length === 0 ? [] : [[ec2Filter('subnet-id', ...ids)]]), ...byTags]
}

/**
 * Returns how many addresses a launch with the capacity type is expected to use in the zone. This is the number that the smallest of the
 * possible instance types needs.
 */
const predictedUse = (types: readonly InstanceType[], capacityType: string, zone: string): number => {
  const uses = types
    .filter(({ offerings }) =>
      offerings.some(
        ({ available, requirements }) =>
          available &&
          singleValue(requirements, 'karpenter.sh/capacity-type') === capacityType &&
          singleValue(requirements, 'topology.kubernetes.io/zone') === zone,
      ),
    )
    .map(({ capacity }) => Number((capacity['pods'] ?? 0n) / 1_000_000_000n))
  return uses.length === 0 ? 0 : Math.min(...uses)
}

/**
 * Finds the subnets of node classes and tracks their free addresses (`providers/aws/docs/spec/aws.md#subnets`). Between two readings, it
 * counts the addresses that launches use, so that concurrent launches do not all use the subnet with the most free addresses.
 */
export class Subnets {
  readonly #ec2: Ec2Api
  readonly #found: ReadCache<readonly FoundSubnet[]>
  readonly #counted: TtlCache<string, number>
  readonly #inFlight = new Map<string, number>()

  constructor(ec2: Ec2Api, clock: Clock, options: { readonly refreshInterval: Milliseconds }) {
    this.#ec2 = ec2
    this.#found = new ReadCache(clock, { ttl: options.refreshInterval })
    this.#counted = new TtlCache(clock, { ttl: Math.max(5 * MINUTE, options.refreshInterval + 4 * MINUTE) })
  }

  /** Returns the subnets that the node class selects, those with the most free addresses first. */
  find(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundSubnet[]> {
    return this.#found.read(nodeClassKey(nodeClass), (inner) => this.#ask(nodeClass, inner), signal)
  }

  async #ask(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundSubnet[]> {
    const byId = new Map<string, { readonly subnet: FoundSubnet; readonly free: number }>()
    for (const filters of termQueries(nodeClass.spec.subnetSelectorTerms)) {
      for (const each of await this.#ec2.describeSubnets(filters, signal)) {
        const {
          SubnetId: id,
          AvailabilityZone: zone,
          AvailabilityZoneId: zoneID,
          AvailableIpAddressCount: free = 0,
        } = each
        if (id === undefined || zone === undefined) continue
        byId.set(id, { subnet: { id, zone, ...(zoneID === undefined ? {} : { zoneID }) }, free })
        this.#counted.set(id, free)
        this.#inFlight.delete(id)
      }
    }
    return [...byId.values()]
      .toSorted((a, b) => b.free - a.free || (a.subnet.id < b.subnet.id ? -1 : 1))
      .map(({ subnet }) => subnet)
  }

  /** Returns true if none of the subnets had a free address in the last reading. */
  areExhausted(subnets: readonly FoundSubnet[]): boolean {
    return subnets.every(({ id }) => this.#counted.get(id) === 0)
  }

  /**
   * Returns, for each zone, the subnet of the node class's status with the most free addresses. Until `settle` is called, the addresses
   * that the launch is expected to use count as used.
   */
  choose(subnets: readonly FoundSubnet[], types: readonly InstanceType[], capacityType: string): SubnetChoice {
    const byZone = new Map<string, FoundSubnet>()
    for (const subnet of subnets) {
      const best = byZone.get(subnet.zone)
      if (best === undefined || this.#free(subnet.id) > this.#free(best.id)) byZone.set(subnet.zone, subnet)
    }
    const reserved = new Map<string, { counted: number; addresses: number }>()
    for (const { id, zone } of byZone.values()) {
      const addresses = predictedUse(types, capacityType, zone)
      reserved.set(id, { counted: this.#counted.get(id) ?? 0, addresses })
      this.#inFlight.set(id, this.#free(id) - addresses)
    }
    return { byZone, reserved }
  }

  /**
   * Releases the addresses that a launch was expected to use but did not use: those of all subnets except `used`. If the launch failed,
   * `used` is empty.
   */
  settle(choice: SubnetChoice, used: ReadonlySet<string>): void {
    for (const [id, { counted, addresses }] of choice.reserved) {
      const now = this.#inFlight.get(id)
      // A newer reading already contains the correct number of free addresses.
      if (used.has(id) || now === undefined || this.#counted.get(id) !== counted) continue
      this.#inFlight.set(id, now + addresses)
    }
  }

  /** Records that EC2 found no free address in the subnet. */
  exhausted(id: string): void {
    this.#counted.set(id, 0)
    this.#inFlight.delete(id)
  }

  /** Returns the free addresses of the given subnets. Leaves out subnets that Kerf has not read. */
  freeAddresses(subnets: readonly FoundSubnet[]): readonly SubnetAddresses[] {
    return subnets
      .filter(({ id }) => this.#counted.get(id) !== undefined)
      .map(({ id, zone }) => ({ subnet: id, zone, free: Math.max(this.#free(id), 0) }))
  }

  #free(id: string): number {
    return this.#inFlight.get(id) ?? this.#counted.get(id) ?? 0
  }
}
