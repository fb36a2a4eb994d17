import type { Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import type { Clock } from '@kerf/runtime'
import { UnavailableOfferings } from './unavailable-offerings.ts'

/** Where an offering would be launched, as far as capacity can run out there alone. */
export interface LaunchPlace {
  /** Names of what the launch is in, such as a placement group and one of its partitions. */
  readonly scopes?: readonly string[]
  /** The ids of the subnets that could be used. */
  readonly subnets?: readonly string[]
}

/**
 * What a cloud recently refused for lack of capacity or addresses (`docs/spec/provider-contract.md#r4`): offerings,
 * whole capacity types, offerings within a scope, subnets. Entries expire after `ttl`.
 */
export class InsufficientCapacity {
  readonly #clock: Clock
  readonly #ttl: Milliseconds
  readonly #everywhere: UnavailableOfferings
  readonly #inScopes = new Map<string, UnavailableOfferings>()
  /** The sequences of the scopes that are no longer kept. */
  #dropped = 0
  /** Subnets are marked under the name of a zone: a subnet runs out of addresses as a zone runs out of capacity. */
  readonly #subnets: UnavailableOfferings

  constructor(clock: Clock, options: { readonly ttl: Milliseconds }) {
    this.#clock = clock
    this.#ttl = options.ttl
    this.#everywhere = new UnavailableOfferings(clock, options)
    this.#subnets = new UnavailableOfferings(clock, options)
  }

  /** Takes the offerings out, everywhere or only within the scope of that name, for `ttl` or as long as usual. */
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

  /** Takes a subnet out, as when it has no free addresses, for `ttl` or as long as usual. */
  markSubnet(subnetId: string, reason: string, ttl: Milliseconds = this.#ttl): void {
    this.#subnets.mark({ zone: subnetId }, reason, ttl)
  }

  /** Scopes come and go with the objects that they are named after. */
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

  /** Why the offering is out, or nothing. A zone of which every subnet is out is out too. */
  reasonFor(offering: Required<OfferingPattern>, { scopes = [], subnets = [] }: LaunchPlace = {}): string | undefined {
    const plain = this.#everywhere.reasonFor(offering)
    if (plain !== undefined) return plain
    if (subnets.length > 0 && subnets.every((subnet) => this.isSubnetOut(subnet)))
      return `no subnet of ${offering.zone} can be used: ${this.#subnetReason(subnets[0] ?? '') ?? ''}`
    return scopes.map((scope) => this.#inScopes.get(scope)?.reasonFor(offering)).find((reason) => reason !== undefined)
  }

  /** Changes whenever an answer may have changed. */
  get sequence(): number {
    const scoped = [...this.#inScopes.values()].reduce((sum, marks) => sum + marks.sequence, 0)
    return this.#everywhere.sequence + this.#subnets.sequence + scoped + this.#dropped
  }
}
