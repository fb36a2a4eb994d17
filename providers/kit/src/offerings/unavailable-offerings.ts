import type { Milliseconds } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { type OfferingPattern, offeringCoordinates } from '@kerf/provider-contract'
import type { Clock } from '@kerf/runtime'

interface Mark {
  readonly reason: string
  readonly expires: Milliseconds
}

const ANY = '*'
const patternKey = ({ capacityType = ANY, instanceType = ANY, zone = ANY }: OfferingPattern): string =>
  `${capacityType}:${instanceType}:${zone}`

/**
 * The offerings that recently could not be launched (`docs/spec/provider-contract.md#r4`). This is a provider's only source for whether an
 * offering is available. Entries expire. `sequence` increases whenever an entry is added or expires, so a cache with `sequence` in its key
 * never returns an outdated offering.
 */
export class UnavailableOfferings {
  readonly #clock: Clock
  readonly #ttl: Milliseconds
  readonly #marks = new Map<string, Mark>()
  #sequence = 0
  #nextExpiry = Number.POSITIVE_INFINITY
  #applied: { readonly to: readonly InstanceType[]; readonly at: number; readonly types: readonly InstanceType[] }

  constructor(clock: Clock, options: { readonly ttl: Milliseconds }) {
    this.#clock = clock
    this.#ttl = options.ttl
    this.#applied = { to: [], at: this.#sequence, types: [] }
  }

  /** Marks the matching offerings as unavailable for `ttl`, or for the default TTL. Never shortens an existing entry. */
  mark(pattern: OfferingPattern, reason: string, ttl: Milliseconds = this.#ttl): void {
    this.#sweep()
    const key = patternKey(pattern)
    const expires = this.#clock.monotonic() + ttl
    const before = this.#marks.get(key)
    if (before !== undefined && before.expires >= expires) return
    this.#marks.set(key, { reason, expires })
    this.#nextExpiry = Math.min(this.#nextExpiry, expires)
    this.#sequence++
  }

  /** Returns why the offering is unavailable, or undefined if it is available. */
  reasonFor(offering: Required<OfferingPattern>): string | undefined {
    this.#sweep()
    if (this.#marks.size === 0) return undefined
    for (const capacityType of [offering.capacityType, ANY]) {
      for (const instanceType of [offering.instanceType, ANY]) {
        for (const zone of [offering.zone, ANY]) {
          const mark = this.#marks.get(`${capacityType}:${instanceType}:${zone}`)
          if (mark !== undefined) return mark.reason
        }
      }
    }
    return undefined
  }

  /** A version that changes whenever a result of `reasonFor` may have changed. */
  get sequence(): number {
    this.#sweep()
    return this.#sequence
  }

  /** Whether all offerings are available. */
  get isEmpty(): boolean {
    this.#sweep()
    return this.#marks.size === 0
  }

  /** Removes all entries. */
  clear(): void {
    if (this.#marks.size === 0) return
    this.#marks.clear()
    this.#nextExpiry = Number.POSITIVE_INFINITY
    this.#sequence++
  }

  /**
   * Returns the instance types with their marked offerings set to unavailable. Types without such offerings remain the same objects. The
   * same list is returned for the same types until an entry is added or expires, so that callers can cache results by identity.
   */
  applyTo(types: readonly InstanceType[]): readonly InstanceType[] {
    this.#sweep()
    if (this.#marks.size === 0) return types
    if (this.#applied.to !== types || this.#applied.at !== this.#sequence)
      this.#applied = { to: types, at: this.#sequence, types: this.#marked(types) }
    return this.#applied.types
  }

  #marked(types: readonly InstanceType[]): readonly InstanceType[] {
    return types.map((type) => {
      const isOut = (offering: Offering): boolean =>
        offering.available && this.reasonFor(offeringCoordinates(type, offering)) !== undefined
      if (!type.offerings.some(isOut)) return type
      return {
        ...type,
        offerings: type.offerings.map((offering) => (isOut(offering) ? { ...offering, available: false } : offering)),
      }
    })
  }

  #sweep(): void {
    const now = this.#clock.monotonic()
    if (now < this.#nextExpiry) return
    this.#nextExpiry = Number.POSITIVE_INFINITY
    for (const [key, mark] of this.#marks) {
      if (mark.expires <= now) this.#marks.delete(key)
      else this.#nextExpiry = Math.min(this.#nextExpiry, mark.expires)
    }
    this.#sequence++
  }
}
