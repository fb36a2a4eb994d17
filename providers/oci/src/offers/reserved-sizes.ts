import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import { type Clock, textOfThrown } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import type { ReservedSize } from '../instance-types/offerings.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { ociErrors } from '../oci-errors.ts'

const USED_FOR: Milliseconds = 60_000
const REFUSED_FOR: Milliseconds = 5_000

/** Tracks how many instances of each size are left in the capacity reservations of classes. */
export class ReservedSizes {
  readonly #api: Pick<OciApi, 'capacityReservation'>
  readonly #known: ReadCache<readonly ReservedSize[]>

  constructor(api: Pick<OciApi, 'capacityReservation'>, clock: Clock) {
    this.#api = api
    this.#known = new ReadCache(clock, { ttl: USED_FOR, refusedFor: REFUSED_FOR })
  }

  /**
   * Returns the sizes of each reservation, by its id.
   *
   * @throws KerfError `NoOciData` if Oracle Cloud does not respond
   */
  async read(
    { capacityReservations }: ResolvedClass,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ReservedSize[]>> {
    const sizes = new Map<string, readonly ReservedSize[]>()
    for (const { id } of capacityReservations) {
      try {
        sizes.set(id, await this.#known.read(id, (inner) => this.#ask(id, inner), signal))
      } catch (error) {
        signal.throwIfAborted()
        throw ociErrors.NoOciData(
          { what: `capacity reservation ${id}`, problem: textOfThrown(error) },
          { cause: error },
        )
      }
    }
    return sizes
  }

  async #ask(id: string, signal: AbortSignal): Promise<readonly ReservedSize[]> {
    const { lifecycleState, configs } = await this.#api.capacityReservation(id, signal)
    return lifecycleState === 'ACTIVE' ? configs : []
  }
}
