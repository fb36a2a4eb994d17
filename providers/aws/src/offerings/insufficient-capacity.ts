import type { Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { UnavailableOfferings } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'

/** How long what ran out is not tried again (`docs/spec/aws.md#caches`). */
export const INSUFFICIENT_CAPACITY_TTL: Milliseconds = 180_000

/** Where capacity ran out: in a placement group, in one partition of it, or anywhere. */
export interface CapacityScope {
  readonly placementGroup?: Pick<PlacementGroup, 'id'>
  readonly partition?: string
}

const scopeKey = ({ placementGroup, partition }: CapacityScope): string | undefined =>
  placementGroup === undefined
    ? undefined
    : partition === undefined
      ? placementGroup.id
      : `${placementGroup.id}:${partition}`

/**
 * What EC2 recently refused for lack of capacity or addresses: offerings, whole capacity types, offerings within a
 * placement group, subnets (`docs/spec/aws.md#offerings`). Entries expire after three minutes.
 */
export class InsufficientCapacity {
  readonly #clock: Clock
  readonly #everywhere: UnavailableOfferings
  readonly #inGroups = new Map<string, UnavailableOfferings>()
  /** Subnets are marked under the name of a zone: a subnet runs out of addresses as a zone runs out of capacity. */
  readonly #subnets: UnavailableOfferings

  constructor(clock: Clock) {
    this.#clock = clock
    this.#everywhere = new UnavailableOfferings(clock, { ttl: INSUFFICIENT_CAPACITY_TTL })
    this.#subnets = new UnavailableOfferings(clock, { ttl: INSUFFICIENT_CAPACITY_TTL })
  }

  /** Takes the offerings out, in the placement group or partition when one is given. */
  markOffering(pattern: OfferingPattern, reason: string, scope: CapacityScope = {}): void {
    const key = scopeKey(scope)
    if (key === undefined) {
      this.#everywhere.mark(pattern, reason)
      return
    }
    let group = this.#inGroups.get(key)
    if (group === undefined) {
      group = new UnavailableOfferings(this.#clock, { ttl: INSUFFICIENT_CAPACITY_TTL })
      this.#inGroups.set(key, group)
    }
    group.mark(pattern, reason)
  }

  /** Takes a subnet out, as when it has no free addresses. */
  markSubnet(subnetId: string, reason: string): void {
    this.#subnets.mark({ zone: subnetId }, reason)
  }

  isSubnetOut(subnetId: string): boolean {
    return this.#subnets.reasonFor({ capacityType: '', instanceType: '', zone: subnetId }) !== undefined
  }

  /** Why the offering is out, or nothing. A zone of which every subnet is out is out too. */
  reasonFor(
    offering: Required<OfferingPattern>,
    scope: CapacityScope & { readonly subnets?: readonly string[] } = {},
  ): string | undefined {
    const { subnets = [], placementGroup } = scope
    const plain = this.#everywhere.reasonFor(offering)
    if (plain !== undefined) return plain
    if (subnets.length > 0 && subnets.every((subnet) => this.isSubnetOut(subnet)))
      return `no subnet of ${offering.zone} has free addresses`
    if (placementGroup === undefined) return undefined
    const scopes = [scopeKey({ placementGroup }), scopeKey(scope)]
    return scopes
      .map((key) => (key === undefined ? undefined : this.#inGroups.get(key)?.reasonFor(offering)))
      .find((reason) => reason !== undefined)
  }

  /** Changes whenever an answer may have changed. */
  get sequence(): number {
    const groups = [...this.#inGroups.values()].reduce((sum, group) => sum + group.sequence, 0)
    return this.#everywhere.sequence + this.#subnets.sequence + groups
  }
}
