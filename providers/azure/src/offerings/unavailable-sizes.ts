import type { Milliseconds } from '@kerf/apis'
import { UnavailableOfferings } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { RefusedScope } from '../failures/launch-refusal.ts'
import { REGIONAL, zoneLabel } from '../instance-type/zones.ts'
import type { VmSize } from '../sizes/vm-size.ts'

type CapacityType = 'on-demand' | 'spot'
type Size = Pick<VmSize, 'name' | 'quotaFamily' | 'vcpus' | 'zones'>

/** From that many cores on nothing of a family could be had. */
interface Bound {
  readonly vcpus: number
  readonly expires: Milliseconds
}

const USUAL_TTL: Milliseconds = 3 * 60_000
const BOTH: readonly CapacityType[] = ['on-demand', 'spot']

/**
 * What could not be launched recently (`docs/spec/azure.md#unavailable-offerings-cache`). A size that could not be had hides the
 * larger ones of its family there too: they need the same hardware, and more of it. Every mark ends at its own time; upstream
 * gives the last one's time to all.
 */
export class UnavailableSizes {
  readonly #clock: Clock
  readonly #location: string
  readonly #single: UnavailableOfferings
  readonly #families = new Map<string, readonly Bound[]>()
  #sequence = 0

  constructor(clock: Clock, location: string) {
    this.#clock = clock
    this.#location = location
    this.#single = new UnavailableOfferings(clock, { ttl: USUAL_TTL })
  }

  /** Changes whenever an answer of `isUnavailable` may have changed. */
  get sequence(): number {
    this.#sweep()
    return this.#sequence + this.#single.sequence
  }

  isUnavailable(size: Size, zone: string, capacityType: CapacityType): boolean {
    this.#sweep()
    if (this.#single.reasonFor({ instanceType: size.name, zone, capacityType }) !== undefined) return true
    const bounds = this.#families.get(keyOf(size.quotaFamily, zone, capacityType)) ?? []
    return bounds.some(({ vcpus }) => size.vcpus >= vcpus)
  }

  /** Remembers a refusal of an offering, and what it speaks against besides. */
  refuse(
    size: Size,
    offering: { readonly zone: string; readonly capacityType: CapacityType },
    { scope, reason, ttl }: { readonly scope: RefusedScope; readonly reason: string; readonly ttl: Milliseconds },
  ): void {
    if (scope === 'all-spot') this.#single.mark({ capacityType: 'spot' }, reason, ttl)
    const { zones, capacityTypes } = this.#reach(size, offering, scope)
    for (const zone of zones) for (const bought of capacityTypes) this.#mark(size, zone, bought, reason, ttl)
  }

  /** The offerings of the size that a refusal speaks against. */
  #reach(
    size: Size,
    { zone, capacityType }: { readonly zone: string; readonly capacityType: CapacityType },
    scope: RefusedScope,
  ): { readonly zones: readonly string[]; readonly capacityTypes: readonly CapacityType[] } {
    const zonal = size.zones.map((each) => zoneLabel(this.#location, each))
    const sameScope = zone === REGIONAL ? [REGIONAL] : zonal
    switch (scope) {
      case 'size':
        return { zones: [...zonal, REGIONAL], capacityTypes: BOTH }
      case 'size-and-capacity-type':
        return { zones: [...zonal, REGIONAL], capacityTypes: [capacityType] }
      case 'same-scope':
        return { zones: sameScope, capacityTypes: BOTH }
      case 'same-scope-and-capacity-type':
        return { zones: sameScope, capacityTypes: [capacityType] }
      case 'zone':
        return { zones: [zone], capacityTypes: BOTH }
      case 'offering':
        return { zones: [zone], capacityTypes: [capacityType] }
      case 'all-spot':
      case 'nothing':
        return { zones: [], capacityTypes: [] }
    }
  }

  #mark(size: Size, zone: string, capacityType: CapacityType, reason: string, ttl: Milliseconds): void {
    this.#sweep()
    this.#single.mark({ instanceType: size.name, zone, capacityType }, reason, ttl)
    if (size.quotaFamily === '') return
    const key = keyOf(size.quotaFamily, zone, capacityType)
    const bounds = this.#families.get(key) ?? []
    const bound = { vcpus: size.vcpus, expires: this.#clock.monotonic() + ttl }
    if (bounds.some(({ vcpus, expires }) => vcpus <= bound.vcpus && expires >= bound.expires)) return
    this.#families.set(key, [...bounds, bound])
    this.#sequence++
  }

  #sweep(): void {
    const now = this.#clock.monotonic()
    for (const [key, bounds] of this.#families) {
      const left = bounds.filter(({ expires }) => expires > now)
      if (left.length === bounds.length) continue
      this.#sequence++
      if (left.length === 0) this.#families.delete(key)
      else this.#families.set(key, left)
    }
  }
}

const keyOf = (family: string, zone: string, capacityType: CapacityType): string => `${family}:${zone}:${capacityType}`
