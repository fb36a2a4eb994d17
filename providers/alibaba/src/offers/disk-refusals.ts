import type { Milliseconds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { OfferingPattern } from '@kerf/provider-contract'
import { UnavailableOfferings } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'

/** Returns a key for the disk categories of a node class. Classes with the same key share their refusals. */
const disksOf = ({ spec }: ECSNodeClass): string =>
  JSON.stringify([spec?.systemDisk?.categories ?? [], spec?.dataDiskCategories ?? []])

/** The offerings that do not support the disk categories of a node class. They stay available for classes with other disk categories. */
export class DiskRefusals {
  readonly #clock: Clock
  readonly #byDisks = new Map<string, UnavailableOfferings>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Marks offerings as unavailable for all node classes with these disk categories. */
  mark(nodeClass: ECSNodeClass, pattern: OfferingPattern, reason: string, ttl: Milliseconds): void {
    const disks = disksOf(nodeClass)
    const known = this.#byDisks.get(disks) ?? new UnavailableOfferings(this.#clock, { ttl })
    known.mark(pattern, reason, ttl)
    this.#byDisks.set(disks, known)
  }

  /** Returns the instance types with the refused offerings marked as unavailable. Returns the same list if nothing changed. */
  applyTo(nodeClass: ECSNodeClass, types: readonly InstanceType[]): readonly InstanceType[] {
    return this.#byDisks.get(disksOf(nodeClass))?.applyTo(types) ?? types
  }
}
