import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { ClaimId } from '../model/ids.ts'
import type { Template } from '../model/template.ts'

/** The reservations that a claim would hold after a placement, or `refused`. */
export type ReservationVerdict = 'refused' | readonly string[]

const known = new WeakMap<readonly Template[], ReadonlyMap<string, number>>()

/** Returns the number of instances left in each reservation; cached per list of templates. */
const capacities = (templates: readonly Template[]): ReadonlyMap<string, number> => {
  const found = known.get(templates)
  if (found !== undefined) return found
  const left = new Map<string, number>()
  for (const { typeOptions } of templates) {
    for (const { reservation, offering } of typeOptions.reserved) {
      if (reservation === undefined) continue
      const capacity = offering.reservationCapacity ?? 0
      left.set(reservation, Math.min(left.get(reservation) ?? capacity, capacity))
    }
  }
  known.set(templates, left)
  return left
}

/**
 * The reserved capacity that the claims of this decision hold (`docs/spec/scheduling.md#reserved-capacity`). A claim holds every
 * reservation that its node might use. No other claim can take this capacity.
 */
export class Reservations {
  readonly #left: Map<string, number>
  readonly #held: ReadonlySet<string>[] = []
  readonly #isStrict: boolean

  constructor(templates: readonly Template[], isStrict: boolean) {
    this.#isStrict = isStrict
    this.#left = new Map(capacities(templates))
  }

  get isUsed(): boolean {
    return this.#left.size > 0
  }

  held(claim: ClaimId): ReadonlySet<string> | undefined {
    return this.#held[claim]
  }

  /**
   * Returns the reservations that a claim would hold, or `refused` if it needs one and none is available. `claim` is
   * `undefined` for a new claim.
   */
  verdict(claim: ClaimId | undefined, constraints: ClaimConstraints, total: Float64Array): ReservationVerdict {
    const held = claim === undefined ? undefined : this.#held[claim]
    let isCompatible = false
    const ids = new Set<string>()
    forEachBit(constraints.offerings, (index) => {
      const id = constraints.index.template.offerings[index]?.reservation
      if (id === undefined || ids.has(id) || !constraints.index.fits(index, total)) return
      isCompatible = true
      if (held?.has(id) === true || (this.#left.get(id) ?? 0) > 0) ids.add(id)
    })
    if (this.#isStrict && ids.size === 0 && (isCompatible || (held?.size ?? 0) > 0)) return 'refused'
    return [...ids]
  }

  hold(claim: ClaimId, ids: readonly string[]): void {
    const before = this.#held[claim] ?? new Set<string>()
    const after = new Set(ids)
    for (const id of after) if (!before.has(id)) this.#left.set(id, (this.#left.get(id) ?? 0) - 1)
    for (const id of before) if (!after.has(id)) this.#left.set(id, (this.#left.get(id) ?? 0) + 1)
    this.#held[claim] = after
  }
}
