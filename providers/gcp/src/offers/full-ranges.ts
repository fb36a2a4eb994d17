import type { Milliseconds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'

type Addresses = Pick<GCENodeClass, 'spec'>

/** Returns a key that identifies the subnetwork and the pod range that instances of the node class use. */
const rangeKey = ({ spec = { imageSelectorTerms: [] } }: Addresses): string =>
  JSON.stringify([spec.networkConfig?.subnetwork ?? '', spec.subnetRangeName ?? ''])

/**
 * Address ranges that recently had no free address. Every instance of a node class needs an address in the same range, so all types of the
 * classes that use a full range are unavailable for a while.
 */
export class FullRanges {
  readonly #full: TtlCache<string, true>
  readonly #unavailable = new WeakMap<readonly InstanceType[], readonly InstanceType[]>()

  constructor(clock: Clock) {
    this.#full = new TtlCache(clock, { ttl: 0 })
  }

  mark(nodeClass: Addresses, ttl: Milliseconds): void {
    this.#full.set(rangeKey(nodeClass), true, ttl)
  }

  /** Returns the types of the node class. While the address range of the class is full, none of their offerings is available. */
  applyTo(types: readonly InstanceType[], nodeClass: Addresses): readonly InstanceType[] {
    if (!this.#full.has(rangeKey(nodeClass))) return types
    const known = this.#unavailable.get(types)
    if (known !== undefined) return known
    const applied = types.map((type) => ({
      ...type,
      offerings: type.offerings.map((offering) => ({ ...offering, available: false })),
    }))
    this.#unavailable.set(types, applied)
    return applied
  }
}
