import { forEachBit, type State } from '../catalogue/states.ts'
import type { Template } from '../catalogue/template.ts'

/** What a placement would do to the reservations a claim holds. */
export type ReservationVerdict = 'refused' | readonly string[]

/**
 * Reserved capacity that claims of this decision hold (`spec/scheduling.md` 3.10). A claim holds every reservation that it
 * might use, so that whatever it becomes, it can have it.
 */
export class Reservations {
  readonly #left = new Map<string, number>()
  readonly #held: ReadonlySet<string>[] = []
  readonly #isStrict: boolean

  constructor(templates: readonly Template[], isStrict: boolean) {
    this.#isStrict = isStrict
    for (const { offerings } of templates) {
      for (const { reservation, offering } of offerings) {
        if (reservation === undefined) continue
        const capacity = offering.reservationCapacity ?? 0
        const known = this.#left.get(reservation)
        this.#left.set(reservation, known === undefined ? capacity : Math.min(known, capacity))
      }
    }
  }

  get isUsed(): boolean {
    return this.#left.size > 0
  }

  held(claim: number): ReadonlySet<string> | undefined {
    return this.#held[claim]
  }

  /** The reservations a claim (`undefined`: a new one) would hold, or that it must be refused for want of them. */
  verdict(claim: number | undefined, state: State, total: Float64Array): ReservationVerdict {
    const held = claim === undefined ? undefined : this.#held[claim]
    let isCompatible = false
    const ids = new Set<string>()
    forEachBit(state.offerings, (index) => {
      const id = state.index.template.offerings[index]?.reservation
      if (id === undefined || ids.has(id) || !state.index.fits(index, total)) return
      isCompatible = true
      if (held?.has(id) === true || (this.#left.get(id) ?? 0) > 0) ids.add(id)
    })
    if (this.#isStrict && ids.size === 0 && (isCompatible || (held?.size ?? 0) > 0)) return 'refused'
    return [...ids]
  }

  hold(claim: number, ids: readonly string[]): void {
    const before = this.#held[claim] ?? new Set<string>()
    const after = new Set(ids)
    for (const id of after) if (!before.has(id)) this.#left.set(id, (this.#left.get(id) ?? 0) - 1)
    for (const id of before) if (!after.has(id)) this.#left.set(id, (this.#left.get(id) ?? 0) + 1)
    this.#held[claim] = after
  }
}
