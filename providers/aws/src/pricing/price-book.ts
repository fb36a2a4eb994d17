import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { type Clock, mapWhole } from '@kerf/runtime'
import type { AwsApi } from '../api/aws-api.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { currencyOf, pricesOfProducts, productFilters } from './price-list.ts'
import type { PriceTable } from './price-table.ts'
import type { Prices } from './prices.ts'

/**
 * Where prices come from, the most trusted first: AWS in this run; what AWS said in an earlier run; a file; and an
 * estimate, the prices that come with Kerf.
 */
export const priceSources = ['aws', 'last-seen', 'file', 'estimate'] as const
export type PriceSource = (typeof priceSources)[number]

/** What is known of the prices of one kind. */
export interface PriceStatus {
  /** The most trusted source that has any. */
  readonly source: PriceSource
  /** When AWS gave them, where that is known. */
  readonly readAt?: Milliseconds
  /** How many instance types have one. */
  readonly types: number
}

/** A price and who says so. */
export interface SourcedPrice {
  readonly price: UsdPerHour
  readonly source: PriceSource
}

/** Every price of one instance type. */
export interface TypePrices {
  readonly type: string
  readonly onDemand?: SourcedPrice
  /** By zone. Empty when no source has a spot price; then spot counts as expensive as on demand. */
  readonly spot: ReadonlyMap<string, SourcedPrice>
}

const NONE: PriceTable = { onDemand: new Map(), spot: new Map() }

/** Regions that cannot reach the Pricing API. */
const hasNoPricing = (region: string): boolean => region.startsWith('us-gov') || region.startsWith('us-iso')

/**
 * What instances cost (`docs/spec/aws.md#prices`). Each price comes from the most trusted source that has it. Until AWS
 * has returned spot prices, a spot instance counts as expensive as on demand. From then on, a spot offering that AWS does
 * not list is unavailable.
 */
export class PriceBook implements Prices {
  readonly #api: Pick<AwsApi, 'ec2' | 'pricing'>
  readonly #clock: Clock
  readonly #region: string
  readonly #tables: Record<PriceSource, PriceTable>
  readonly #readAt: { onDemand?: Milliseconds; spot?: Milliseconds } = {}
  #sequence = 0

  constructor(
    parts: { readonly api: Pick<AwsApi, 'ec2' | 'pricing'>; readonly clock: Clock },
    of: { readonly region: string; readonly file?: PriceTable },
  ) {
    this.#api = parts.api
    this.#clock = parts.clock
    this.#region = of.region
    const { onDemand } = firstPrices(of.region)
    this.#tables = { aws: NONE, 'last-seen': NONE, file: of.file ?? NONE, estimate: { onDemand, spot: new Map() } }
  }

  /** Changes whenever a price may have changed. */
  get sequence(): number {
    return this.#sequence
  }

  onDemand(typeName: string): UsdPerHour | undefined {
    return this.#onDemand(typeName)?.price
  }

  spot(typeName: string, zone: string): UsdPerHour | undefined {
    const told = this.#spot(typeName, zone)
    return told === undefined && this.#readAt.spot === undefined ? this.onDemand(typeName) : told?.price
  }

  /** The most trusted source of the type's on-demand price. */
  sourceOf(typeName: string): PriceSource | undefined {
    return this.#onDemand(typeName)?.source
  }

  /** Every type that anybody has a price of, in the order of names; zones too. */
  listing(): readonly TypePrices[] {
    const tables = priceSources.map((source) => this.#tables[source])
    const names = new Set(tables.flatMap(({ onDemand, spot }) => [...onDemand.keys(), ...spot.keys()]))
    return [...names].sort().map((type) => {
      const onDemand = this.#onDemand(type)
      const zones = [...new Set(tables.flatMap(({ spot }) => [...(spot.get(type)?.keys() ?? [])]))].sort()
      const told = zones.flatMap((zone) => {
        const price = this.#spot(type, zone)
        return price === undefined ? [] : [[zone, price] as const]
      })
      return { type, spot: new Map(told), ...(onDemand === undefined ? {} : { onDemand }) }
    })
  }

  #onDemand(typeName: string): SourcedPrice | undefined {
    for (const source of priceSources) {
      const price = this.#tables[source].onDemand.get(typeName)
      if (price !== undefined) return { price, source }
    }
    return undefined
  }

  /** Once AWS has returned spot prices, no other source is used. */
  #spot(typeName: string, zone: string): SourcedPrice | undefined {
    for (const source of this.#readAt.spot === undefined ? priceSources : (['aws'] as const)) {
      const price = this.#tables[source].spot.get(typeName)?.get(zone)
      if (price !== undefined) return { price, source }
    }
    return undefined
  }

  /** Where the prices come from and how old they are. */
  get standing(): { readonly onDemand: PriceStatus; readonly spot: PriceStatus } {
    const standing = (kind: 'onDemand' | 'spot'): PriceStatus => {
      const source = priceSources.find((each) => this.#tables[each][kind].size > 0) ?? 'estimate'
      const readAt = source === 'aws' ? this.#readAt[kind] : this.#tables[source].readAt
      return { source, types: this.#tables[source][kind].size, ...(readAt === undefined ? {} : { readAt }) }
    }
    return { onDemand: standing('onDemand'), spot: standing('spot') }
  }

  /** How long ago AWS gave prices of the kind in this run; for ever when it did not. */
  age(kind: 'onDemand' | 'spot'): Milliseconds {
    const readAt = this.#readAt[kind]
    return readAt === undefined ? Number.POSITIVE_INFINITY : Math.max(this.#clock.now() - readAt, 0)
  }

  /** Prices that AWS gave an earlier run. */
  remember(table: PriceTable): void {
    this.#tables['last-seen'] = table
    this.#sequence++
  }

  /** What AWS gave in this run, to be kept for the next; nothing when it gave nothing. */
  get worthKeeping(): PriceTable | undefined {
    const { onDemand, spot } = this.#tables.aws
    const readAt = this.#readAt.onDemand ?? this.#readAt.spot
    if (readAt === undefined) return undefined
    const before = this.#tables['last-seen']
    return {
      onDemand: onDemand.size > 0 ? onDemand : before.onDemand,
      spot: spot.size > 0 ? spot : before.spot,
      readAt,
    }
  }

  /** Whether on-demand prices can be asked for here at all. */
  canReadOnDemand(isIsolated: boolean): boolean {
    return !isIsolated && !hasNoPricing(this.#region)
  }

  /** Asks for on-demand prices. An answer that is not whole changes nothing. */
  async readOnDemand(signal: AbortSignal): Promise<void> {
    const answers = await mapWhole(
      productFilters(this.#region),
      2,
      async (filters, inner) =>
        pricesOfProducts(await this.#api.pricing.getProducts('AmazonEC2', filters, inner), currencyOf(this.#region)),
      signal,
    )
    if (answers.some((prices) => prices.size === 0)) throw new Error(`the Pricing API has no prices of ${this.#region}`)
    const onDemand = new Map(this.#tables.aws.onDemand)
    for (const prices of answers) for (const [type, price] of prices) onDemand.set(type, price)
    this.#tables.aws = { ...this.#tables.aws, onDemand }
    this.#readAt.onDemand = this.#clock.now()
    this.#sequence++
  }

  /** Asks for the spot prices of now. */
  async readSpot(signal: AbortSignal): Promise<void> {
    const history = await this.#api.ec2.describeSpotPriceHistory(new Date(this.#clock.now()), signal)
    const latest = new Map<string, Map<string, { readonly price: number; readonly at: number }>>()
    for (const { InstanceType: type, AvailabilityZone: zone, SpotPrice: text, Timestamp: time } of history) {
      const price = Number(text)
      if (type === undefined || zone === undefined || !Number.isFinite(price) || price <= 0) continue
      const zones = latest.get(type) ?? new Map<string, { price: number; at: number }>()
      const at = time?.getTime() ?? 0
      const known = zones.get(zone)
      if (known === undefined || at >= known.at) zones.set(zone, { price, at })
      latest.set(type, zones)
    }
    if (latest.size === 0) throw new Error(`EC2 has no spot prices of ${this.#region}`)
    const spot = new Map<string, ReadonlyMap<string, number>>(this.#tables.aws.spot)
    for (const [type, zones] of latest) {
      spot.set(
        type,
        new Map([...(spot.get(type) ?? []), ...[...zones].map(([zone, { price }]) => [zone, price] as const)]),
      )
    }
    this.#tables.aws = { ...this.#tables.aws, spot }
    this.#readAt.spot = this.#clock.now()
    this.#sequence++
  }
}
