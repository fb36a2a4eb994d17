import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import { zoneOfDomain } from '../availability-domain.ts'
import { apiShapeFacts } from '../instance-types/api-shape-facts.ts'
import type { ShapeFacts } from '../instance-types/shape-facts.ts'
import type { AvailabilityDomains } from './availability-domains.ts'

const SHAPES_FOR: Milliseconds = 30 * 60_000
const REFUSED_FOR: Milliseconds = 5_000

/** The shapes of a region, and the zones that have them. */
export interface RegionShapes {
  readonly shapes: ReadonlyMap<string, ShapeFacts>
  /** The sorted zones of each shape. */
  readonly zones: ReadonlyMap<string, readonly string[]>
}

export interface OfferedShapesDeps {
  readonly api: Pick<OciApi, 'shapes'>
  readonly clock: Clock
  readonly domains: AvailabilityDomains
  readonly compartmentId: string
}

/** Reads the shapes of each availability domain. They rarely change. */
export class OfferedShapes {
  readonly #deps: OfferedShapesDeps
  readonly #known: ReadCache<RegionShapes>
  /** The last response. Kerf keeps using it while Oracle Cloud is unavailable. */
  #last: RegionShapes | undefined

  constructor(deps: OfferedShapesDeps) {
    this.#deps = deps
    this.#known = new ReadCache(deps.clock, { ttl: SHAPES_FOR, refusedFor: REFUSED_FOR })
  }

  /** Returns the shapes. Returns the same object until Kerf reads them again. */
  async read(signal: AbortSignal): Promise<RegionShapes> {
    try {
      this.#last = await this.#known.read('', (inner) => this.#ask(inner), signal)
    } catch (error) {
      signal.throwIfAborted()
      if (this.#last === undefined) throw error
    }
    return this.#last
  }

  async #ask(signal: AbortSignal): Promise<RegionShapes> {
    const { api, domains, compartmentId } = this.#deps
    const shapes = new Map<string, ShapeFacts>()
    const zones = new Map<string, string[]>()
    for (const domain of await domains.all(signal)) {
      for (const shape of await api.shapes(compartmentId, domain, signal)) {
        if (!shapes.has(shape.shape)) shapes.set(shape.shape, apiShapeFacts(shape))
        const known = zones.get(shape.shape) ?? []
        const zone = zoneOfDomain(domain)
        // ListShapes may list a shape more than once.
        if (!known.includes(zone)) zones.set(shape.shape, [...known, zone].toSorted())
      }
    }
    return { shapes, zones }
  }
}
