import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { PriceTable } from './price-table.ts'
import type { Prices } from './prices.ts'

/**
 * The sources of prices, most trusted first: the cloud in this process, the cloud in an earlier process, a file, and an estimate. Estimates
 * are prices that are included in Kerf.
 */
const origins = ['cloud', 'last-seen', 'file', 'estimate'] as const
type Origin = (typeof origins)[number]

/** The public name of a price source. The cloud's own prices have the name of the cloud. For all others, it is the origin. */
export type PriceSource<Cloud extends string> = Cloud | Exclude<Origin, 'cloud'>

/** The source and age of the prices of one capacity type. */
export interface PriceStatus<Cloud extends string = string> {
  /** The most trusted source that has prices. */
  readonly source: PriceSource<Cloud>
  /** When the cloud returned the prices. Absent if this is unknown. */
  readonly readAt?: Milliseconds
  /** The number of instance types that have a price. */
  readonly types: number
}

/** A price and its source. */
export interface SourcedPrice<Cloud extends string = string> {
  readonly price: UsdPerHour
  readonly source: PriceSource<Cloud>
}

/** All prices of one instance type. */
export interface TypePrices<Cloud extends string = string> {
  readonly type: string
  readonly onDemand?: SourcedPrice<Cloud>
  /** Spot prices by zone. If no source has spot prices, the map is empty and spot costs as much as on-demand. */
  readonly spot: ReadonlyMap<string, SourcedPrice<Cloud>>
}

const NONE: PriceTable = { onDemand: new Map(), spot: new Map() }

/**
 * The prices of instances (`docs/spec/provider-contract.md#r19`). Each price comes from the most trusted source that has it. Until the
 * cloud has returned spot prices, a spot instance costs as much as an on-demand instance. Afterwards, a spot offering is unavailable if the
 * cloud has no price for it. `Cloud` is the source name of the cloud's own prices.
 */
export class PriceBook<Cloud extends string = string> implements Prices {
  readonly #clock: Clock
  readonly #cloud: Cloud
  readonly #tables: Record<Origin, PriceTable>
  readonly #readAt: { onDemand?: Milliseconds; spot?: Milliseconds } = {}
  #sequence = 0

  constructor(
    clock: Clock,
    of: {
      readonly cloud: Cloud
      /** On-demand prices that are used until the cloud has responded, or if the cloud cannot be reached. */
      readonly estimate: PriceTable['onDemand']
      readonly file?: PriceTable
    },
  ) {
    this.#clock = clock
    this.#cloud = of.cloud
    const estimate = { onDemand: of.estimate, spot: new Map() }
    this.#tables = { cloud: NONE, 'last-seen': NONE, file: of.file ?? NONE, estimate }
  }

  /** A version that changes whenever a price may have changed. */
  get sequence(): number {
    return this.#sequence
  }

  onDemand(typeName: string): UsdPerHour | undefined {
    return this.#onDemand(typeName)?.price
  }

  spot(typeName: string, zone: string): UsdPerHour | undefined {
    const known = this.#spot(typeName, zone)
    return known === undefined && this.#readAt.spot === undefined ? this.onDemand(typeName) : known?.price
  }

  /** Returns the source of the instance type's on-demand price. */
  sourceOf(typeName: string): PriceSource<Cloud> | undefined {
    return this.#onDemand(typeName)?.source
  }

  /** Returns all instance types with a price. Types and zones are sorted by name. */
  listing(): readonly TypePrices<Cloud>[] {
    const tables = origins.map((source) => this.#tables[source])
    const names = new Set(tables.flatMap(({ onDemand, spot }) => [...onDemand.keys(), ...spot.keys()]))
    return [...names].sort().map((type) => {
      const onDemand = this.#onDemand(type)
      const zones = [...new Set(tables.flatMap(({ spot }) => [...(spot.get(type)?.keys() ?? [])]))].sort()
      const known = zones.flatMap((zone) => {
        const price = this.#spot(type, zone)
        return price === undefined ? [] : [[zone, price] as const]
      })
      return { type, spot: new Map(known), ...(onDemand === undefined ? {} : { onDemand }) }
    })
  }

  #onDemand(typeName: string): SourcedPrice<Cloud> | undefined {
    for (const origin of origins) {
      const price = this.#tables[origin].onDemand.get(typeName)
      if (price !== undefined) return { price, source: this.#named(origin) }
    }
    return undefined
  }

  /** Returns the spot price. If the cloud has returned spot prices, ignores all other sources. */
  #spot(typeName: string, zone: string): SourcedPrice<Cloud> | undefined {
    for (const origin of this.#readAt.spot === undefined ? origins : (['cloud'] as const)) {
      const price = this.#tables[origin].spot.get(typeName)?.get(zone)
      if (price !== undefined) return { price, source: this.#named(origin) }
    }
    return undefined
  }

  #named(origin: Origin): PriceSource<Cloud> {
    return origin === 'cloud' ? this.#cloud : origin
  }

  /** The source and the age of the prices. */
  get standing(): { readonly onDemand: PriceStatus<Cloud>; readonly spot: PriceStatus<Cloud> } {
    const standing = (kind: 'onDemand' | 'spot'): PriceStatus<Cloud> => {
      const origin = origins.find((each) => this.#tables[each][kind].size > 0) ?? 'estimate'
      const readAt = origin === 'cloud' ? this.#readAt[kind] : this.#tables[origin].readAt
      const source = this.#named(origin)
      return { source, types: this.#tables[origin][kind].size, ...(readAt === undefined ? {} : { readAt }) }
    }
    return { onDemand: standing('onDemand'), spot: standing('spot') }
  }

  /** Returns the time since the cloud last returned such prices to this process, or infinity if it has not returned any. */
  age(kind: 'onDemand' | 'spot'): Milliseconds {
    const readAt = this.#readAt[kind]
    return readAt === undefined ? Number.POSITIVE_INFINITY : Math.max(this.#clock.now() - readAt, 0)
  }

  /** Adds prices that the cloud returned to an earlier process. */
  remember(table: PriceTable): void {
    this.#tables['last-seen'] = table
    this.#sequence++
  }

  /** The prices that the cloud returned to this process, to be saved for the next one. Undefined if there are none. */
  get worthKeeping(): PriceTable | undefined {
    const { onDemand, spot } = this.#tables.cloud
    const readAt = this.#readAt.onDemand ?? this.#readAt.spot
    if (readAt === undefined) return undefined
    const before = this.#tables['last-seen']
    return {
      onDemand: onDemand.size > 0 ? onDemand : before.onDemand,
      spot: spot.size > 0 ? spot : before.spot,
      readAt,
    }
  }

  /** Adds on-demand prices that the cloud has just returned. Types that are missing in the response keep their prices. */
  learnOnDemand(prices: ReadonlyMap<string, UsdPerHour>): void {
    const onDemand = new Map([...this.#tables.cloud.onDemand, ...prices])
    this.#tables.cloud = { ...this.#tables.cloud, onDemand }
    this.#readAt.onDemand = this.#clock.now()
    this.#sequence++
  }

  /**
   * Adds spot prices that the cloud has just returned, by instance type and zone. Zones that are missing in the response keep their prices.
   */
  learnSpot(prices: PriceTable['spot']): void {
    const spot = new Map(this.#tables.cloud.spot)
    for (const [type, zones] of prices) spot.set(type, new Map([...(spot.get(type) ?? []), ...zones]))
    this.#tables.cloud = { ...this.#tables.cloud, spot }
    this.#readAt.spot = this.#clock.now()
    this.#sequence++
  }
}
