import type { Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import type { Clock } from '@kerf/runtime'
import { UnavailableOfferings } from './unavailable-offerings.ts'

/** The location of a launch within a zone. Capacity can run out separately in each scope and subnet. */
export interface LaunchPlace {
  /** The scopes of the launch, for example a placement group and one of its partitions. */
  readonly scopes?: readonly string[]
  /** The ids of the subnets that could be used. */
  readonly subnets?: readonly string[]
}

/**
 * Records what a cloud has recently refused for lack of capacity or addresses (`docs/spec/provider-contract.md#r4`): offerings, whole
 * capacity types, offerings within a scope, and subnets. Entries expire after `ttl`.
 */
export class InsufficientCapacity {
  readonly #clock: Clock
  readonly #ttl: Milliseconds
  readonly #everywhere: UnavailableOfferings
  readonly #inScopes = new Map<string, UnavailableOfferings>()
  /** The sum of the `sequence` values of all removed scopes. */
  #dropped = 0
  /** Subnets are stored like zones, because a subnet runs out of addresses as a zone runs out of capacity. */
  readonly #subnets: UnavailableOfferings

  constructor(clock: Clock, options: { readonly ttl: Milliseconds }) {
    this.#clock = clock
    this.#ttl = options.ttl
    this.#everywhere = new UnavailableOfferings(clock, options)
    this.#subnets = new UnavailableOfferings(clock, options)
  }

  /**
   * Marks the offerings as unavailable, either everywhere or only within the scope. The entry expires after `ttl`, or after the default
   * TTL.
   */
  markOffering(pattern: OfferingPattern, reason: string, scope?: string, ttl: Milliseconds = this.#ttl): void {
    if (scope === undefined) {
      this.#everywhere.mark(pattern, reason, ttl)
      return
    }
    let marks = this.#inScopes.get(scope)
    if (marks === undefined) {
      this.#dropEmptyScopes()
      marks = new UnavailableOfferings(this.#clock, { ttl: this.#ttl })
      this.#inScopes.set(scope, marks)
    }
    marks.mark(pattern, reason, ttl)
  }

  /** Marks a subnet as unavailable, for example if it has no free addresses. The entry expires after `ttl`, or after the default TTL. */
  markSubnet(subnetId: string, reason: string, ttl: Milliseconds = this.#ttl): void {
    this.#subnets.mark({ zone: subnetId }, reason, ttl)
  }

  /** Removes scopes without entries. Because scopes are named after objects, their number would otherwise grow without limit. */
  #dropEmptyScopes(): void {
    for (const [name, marks] of this.#inScopes) {
      if (!marks.isEmpty) continue
      this.#dropped += marks.sequence
      this.#inScopes.delete(name)
    }
  }

  isSubnetOut(subnetId: string): boolean {
    return this.#subnetReason(subnetId) !== undefined
  }

  #subnetReason(subnetId: string): string | undefined {
    return this.#subnets.reasonFor({ capacityType: '', instanceType: '', zone: subnetId })
  }

  /**
   * Returns why the offering is unavailable, or undefined if it is available. It is also unavailable if all usable subnets are unavailable.
   */
  reasonFor(offering: Required<OfferingPattern>, { scopes = [], subnets = [] }: LaunchPlace = {}): string | undefined {
    const plain = this.#everywhere.reasonFor(offering)
    if (plain !== undefined) return plain
    if (subnets.length > 0 && subnets.every((subnet) => this.isSubnetOut(subnet)))
      return `no usable subnet in ${offering.zone}: ${this.#subnetReason(subnets[0] ?? '') ?? ''}`
    return scopes.map((scope) => this.#inScopes.get(scope)?.reasonFor(offering)).find((reason) => reason !== undefined)
  }

  /** A version that changes whenever a result may have changed. */
  get sequence(): number {
    const scoped = [...this.#inScopes.values()].reduce((sum, marks) => sum + marks.sequence, 0)
    return this.#everywhere.sequence + this.#subnets.sequence + scoped + this.#dropped
  }
}
