import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import { zoneOfDomain } from '../availability-domain.ts'

const HOURS: Milliseconds = 6 * 3_600_000
const REFUSED_FOR: Milliseconds = 5_000

/** The availability domains of the tenancy in the region. They never change. */
export class AvailabilityDomains {
  readonly #api: Pick<OciApi, 'availabilityDomains'>
  readonly #compartmentId: string
  readonly #names: ReadCache<readonly string[]>

  constructor(api: Pick<OciApi, 'availabilityDomains'>, clock: Clock, compartmentId: string) {
    this.#api = api
    this.#compartmentId = compartmentId
    this.#names = new ReadCache(clock, { ttl: HOURS, refusedFor: REFUSED_FOR })
  }

  /** Returns the full names, sorted. */
  all(signal: AbortSignal): Promise<readonly string[]> {
    const ask = async (inner: AbortSignal): Promise<readonly string[]> =>
      (await this.#api.availabilityDomains(this.#compartmentId, inner)).toSorted()
    return this.#names.read('', ask, signal)
  }

  /** Returns the full name of the availability domain of a zone, or undefined if the region has no such zone. */
  async named(zone: string, signal: AbortSignal): Promise<string | undefined> {
    return (await this.all(signal)).find((name) => zoneOfDomain(name) === zone)
  }
}
