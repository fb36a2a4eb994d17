import { type GuestId, guestKey } from '../names.ts'
import type { Reservation } from './free-capacity.ts'

/**
 * The launches of this process that may be missing from the lists of guests. They prevent two launches from using the same CPUs, memory or
 * ID.
 */
export class Reservations {
  readonly #byGuest = new Map<string, Reservation>()

  add(reservation: Reservation): void {
    this.#byGuest.set(guestKey(reservation), reservation)
  }

  release(guest: GuestId): void {
    this.#byGuest.delete(guestKey(guest))
  }

  inRegion(region: string): readonly Reservation[] {
    return [...this.#byGuest.values()].filter((each) => each.region === region)
  }
}
