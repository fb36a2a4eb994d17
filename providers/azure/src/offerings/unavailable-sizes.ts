import type { Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { UnavailableOfferings } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { RefusedScope } from '../failures/launch-refusal.ts'
import { REGIONAL, zoneLabel } from '../instance-type/zones.ts'
import type { VmSize } from '../sizes/vm-size.ts'

type CapacityType = 'on-demand' | 'spot'
/** The scopes that affect a size and its family. */
type SizeScope = Exclude<RefusedScope, 'all-spot' | 'on-demand-of-as-many-cores' | 'denied-size'>
type Size = Pick<VmSize, 'name' | 'quotaFamily' | 'vcpus' | 'zones'>

/** The key for launches of an unknown node class. */
const NO_CLASS = ''
/** The family name of entries for all families. */
const ANY_FAMILY = '*'

/** All sizes of a family with at least this many cores are unavailable. */
interface Bound {
  readonly vcpus: number
  readonly expires: Milliseconds
}

const USUAL_TTL: Milliseconds = 3 * 60_000
const BOTH: readonly CapacityType[] = ['on-demand', 'spot']

/**
 * The offerings that could not be launched recently (`providers/azure/docs/spec/azure.md#unavailable-offerings-cache`). If a size is
 * unavailable, larger sizes of its family are unavailable in the same place, because they need more of the same hardware. Each entry
 * expires at its own time. In upstream, all entries expire together with the last one.
 */
export class UnavailableSizes {
  readonly #clock: Clock
  readonly #location: string
  readonly #single: UnavailableOfferings
  /** The denials of policies, by the key of the node class. */
  readonly #denied = new Map<string, UnavailableOfferings>()
  readonly #families = new Map<string, readonly Bound[]>()
  #sequence = 0

  constructor(clock: Clock, location: string) {
    this.#clock = clock
    this.#location = location
    this.#single = new UnavailableOfferings(clock, { ttl: USUAL_TTL })
  }

  /** A number that changes whenever a result of `isUnavailable` may have changed. */
  get sequence(): number {
    this.#sweep()
    return (
      this.#sequence + this.#single.sequence + [...this.#denied.values()].reduce((sum, each) => sum + each.sequence, 0)
    )
  }

  /** Returns true if a policy currently denies a launch of the node class. */
  hasDenied(nodeClassKey: string): boolean {
    return this.#denied.get(nodeClassKey)?.isEmpty === false
  }

  isUnavailable(size: Size, zone: string, capacityType: CapacityType, nodeClassKey = NO_CLASS): boolean {
    this.#sweep()
    const offering = { instanceType: size.name, zone, capacityType }
    if (this.#single.reasonFor(offering) !== undefined) return true
    if (this.#denied.get(nodeClassKey)?.reasonFor(offering) !== undefined) return true
    return [familyKey(size.quotaFamily, zone, capacityType), familyKey(ANY_FAMILY, '', capacityType)].some((key) =>
      this.#families.get(key)?.some(({ vcpus }) => size.vcpus >= vcpus),
    )
  }

  /** Records a refused offering, together with all other offerings that the refusal makes unavailable. */
  refuse(
    size: Size,
    offering: { readonly zone: string; readonly capacityType: CapacityType },
    { scope, reason, ttl }: { readonly scope: RefusedScope; readonly reason: string; readonly ttl: Milliseconds },
    nodeClassKey = NO_CLASS,
  ): void {
    const { zone, capacityType } = offering
    switch (scope) {
      case 'all-spot':
        this.#single.mark({ capacityType: 'spot' }, reason, ttl)
        return
      case 'on-demand-of-as-many-cores':
        this.#bound(familyKey(ANY_FAMILY, '', 'on-demand'), size.vcpus, ttl)
        return
      case 'denied-size':
        this.#deny({ instanceType: size.name, capacityType }, reason, ttl, nodeClassKey)
        return
      case 'size':
      case 'size-and-capacity-type':
      case 'same-scope':
      case 'same-scope-and-capacity-type':
      case 'zone':
      case 'offering':
        this.#markReach(size, { zone, capacityType }, { scope, reason, ttl })
    }
  }

  #markReach(
    size: Size,
    offering: { readonly zone: string; readonly capacityType: CapacityType },
    { scope, reason, ttl }: { readonly scope: SizeScope; readonly reason: string; readonly ttl: Milliseconds },
  ): void {
    const { zones, capacityTypes } = this.#reach(size, offering, scope)
    for (const zone of zones) for (const bought of capacityTypes) this.#mark(size, zone, bought, reason, ttl)
  }

  /** Returns the offerings of the size that a refusal makes unavailable. */
  #reach(
    size: Size,
    { zone, capacityType }: { readonly zone: string; readonly capacityType: CapacityType },
    scope: SizeScope,
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
    }
  }

  #mark(size: Size, zone: string, capacityType: CapacityType, reason: string, ttl: Milliseconds): void {
    this.#sweep()
    this.#single.mark({ instanceType: size.name, zone, capacityType }, reason, ttl)
    if (size.quotaFamily === '') return
    this.#bound(familyKey(size.quotaFamily, zone, capacityType), size.vcpus, ttl)
  }

  #deny(pattern: OfferingPattern, reason: string, ttl: Milliseconds, nodeClassKey: string): void {
    let denied = this.#denied.get(nodeClassKey)
    if (denied === undefined) {
      for (const [key, marks] of this.#denied) {
        if (!marks.isEmpty) continue
        this.#sequence += marks.sequence
        this.#denied.delete(key)
      }
      denied = new UnavailableOfferings(this.#clock, { ttl: USUAL_TTL })
      this.#denied.set(nodeClassKey, denied)
    }
    denied.mark(pattern, reason, ttl)
  }

  #bound(key: string, vcpus: number, ttl: Milliseconds): void {
    this.#sweep()
    const bounds = this.#families.get(key) ?? []
    const bound = { vcpus, expires: this.#clock.monotonic() + ttl }
    if (bounds.some((each) => each.vcpus <= bound.vcpus && each.expires >= bound.expires)) return
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

const familyKey = (family: string, zone: string, capacityType: CapacityType): string =>
  `${family}:${zone}:${capacityType}`
