import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ZonalType } from '../api/compute-shapes.ts'
import type { ComputeApi } from '../api/gcp-api.ts'
import type { TypeFacts } from '../type-facts.ts'

/** How long Kerf caches the list of types, which rarely changes. */
const KEPT_FOR: Milliseconds = 12 * 3_600_000
const REFUSED_FOR: Milliseconds = 5_000

/** An instance type that is available in the region. */
export interface OfferedType {
  readonly facts: TypeFacts
  /** The zones that have the instance type, sorted. */
  readonly zones: readonly string[]
}

/** The types of a region by name, sorted by name. */
export type Offered = ReadonlyMap<string, OfferedType>

/** Returns each instance type once, with its zones. The service lists a type once per zone. */
const merged = (zonal: readonly ZonalType[]): Offered => {
  const zones = new Map<string, { readonly facts: TypeFacts; readonly zones: Set<string> }>()
  for (const { zone, facts } of zonal) {
    const known = zones.get(facts.name)
    if (known === undefined) zones.set(facts.name, { facts, zones: new Set([zone]) })
    else known.zones.add(zone)
  }
  return new Map(
    [...zones]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, found]) => [name, { facts: found.facts, zones: [...found.zones].toSorted() }]),
  )
}

/** Reads the instance types of the region and their zones. If a later read fails, Kerf keeps using the previous result. */
export class OfferedTypes {
  readonly #compute: Pick<ComputeApi, 'zonalTypes'>
  readonly #region: string
  readonly #answers: ReadCache<Offered>
  #last: Offered | undefined

  constructor(compute: Pick<ComputeApi, 'zonalTypes'>, clock: Clock, region: string) {
    this.#compute = compute
    this.#region = region
    this.#answers = new ReadCache(clock, { ttl: KEPT_FOR, refusedFor: REFUSED_FOR })
  }

  /** Returns the instance types. Returns the same object until Kerf reads them again. */
  async read(signal: AbortSignal): Promise<Offered> {
    try {
      this.#last = await this.#answers.read(
        'types',
        async (inner) => merged(await this.#compute.zonalTypes(this.#region, inner)),
        signal,
      )
      return this.#last
    } catch (error) {
      signal.throwIfAborted()
      if (this.#last === undefined) throw error
      return this.#last
    }
  }
}
