import { type CapacityType, capacityTypes, type Milliseconds, ownValue } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { AlibabaApi, AvailableZone } from '../api/actions.ts'
import { allTypes } from '../api/pages.ts'
import { describedEcsType } from '../ecs-types/described-ecs-type.ts'
import type { EcsType } from '../ecs-types/ecs-type.ts'

const TYPES_FOR: Milliseconds = 12 * 3_600_000
/** How long Kerf caches the stock, which changes within minutes. Upstream reads it every twelve hours. */
const STOCK_FOR: Milliseconds = 3 * 60_000

/** The stock states in which an instance type can be launched. */
const IN_STOCK: ReadonlySet<string> = new Set(['WithStock', 'ClosedWithStock'])

/** The instance types that are in stock, by zone. */
export type Stock = ReadonlyMap<string, ReadonlySet<string>>

const stockIn = (zones: readonly AvailableZone[]): Stock =>
  new Map(
    zones
      .filter(({ StatusCategory = '' }) => IN_STOCK.has(StatusCategory))
      .map(({ ZoneId, AvailableResources }) => [
        ZoneId,
        new Set(
          (AvailableResources?.AvailableResource ?? [])
            .flatMap(({ SupportedResources }) => SupportedResources?.SupportedResource ?? [])
            .filter(({ StatusCategory = '' }) => IN_STOCK.has(StatusCategory))
            .map(({ Value }) => Value),
        ),
      ]),
  )

/** The instance types that ECS sells in the region, and their stock by zone and capacity type. */
export interface Offered {
  readonly types: readonly EcsType[]
  readonly stock: Readonly<Record<'on-demand' | 'spot', Stock>>
}

/**
 * Reads the instance types and their stock (`providers/alibaba/docs/spec/alibaba.md#calls`). The stock changes within minutes, the types
 * rarely. Concurrent callers share a read.
 */
export class OfferedTypes {
  readonly #api: AlibabaApi
  readonly #region: string
  readonly #types: ReadCache<readonly EcsType[]>
  readonly #stock: ReadCache<Stock>
  /** The last responses. Kerf keeps using them while the API is unavailable. */
  readonly #lastStock = new Map<string, Stock>()
  #offered: Offered | undefined

  constructor(api: AlibabaApi, clock: Clock, region: string) {
    this.#api = api
    this.#region = region
    this.#types = new ReadCache(clock, { ttl: TYPES_FOR, refusedFor: 5_000 })
    this.#stock = new ReadCache(clock, { ttl: STOCK_FOR, refusedFor: 5_000 })
  }

  /** Returns the instance types and their stock. Returns the same object until something changes. */
  async read(signal: AbortSignal): Promise<Offered> {
    const [types, onDemand, spot] = await Promise.all([
      this.#types.read('types', async (inner) => (await allTypes(this.#api, inner)).map(describedEcsType), signal),
      this.#stockOf(capacityTypes.onDemand, signal),
      this.#stockOf(capacityTypes.spot, signal),
    ])
    const last = this.#offered
    if (last?.types === types && last.stock['on-demand'] === onDemand && last.stock.spot === spot) return last
    this.#offered = { types, stock: { 'on-demand': onDemand, spot } }
    return this.#offered
  }

  async #stockOf(capacityType: 'on-demand' | 'spot', signal: AbortSignal): Promise<Stock> {
    try {
      const stock = await this.#stock.read(capacityType, (inner) => this.#ask(capacityType, inner), signal)
      this.#lastStock.set(capacityType, stock)
      return stock
    } catch (error) {
      signal.throwIfAborted()
      const last = this.#lastStock.get(capacityType)
      if (last !== undefined) return last
      throw error
    }
  }

  async #ask(capacityType: 'on-demand' | 'spot', signal: AbortSignal): Promise<Stock> {
    const query = { RegionId: this.#region, DestinationResource: 'InstanceType' } as const
    const spot = capacityType === capacityTypes.spot ? ({ SpotStrategy: 'SpotAsPriceGo' } as const) : {}
    const answer = await this.#api.call('DescribeAvailableResource', { ...query, ...spot }, signal)
    return stockIn(answer.AvailableZones?.AvailableZone ?? [])
  }
}

/** Returns true if the instance type is in stock in the zone. */
export const isInStock = ({ stock }: Offered, type: string, zone: string, capacityType: CapacityType): boolean =>
  ownValue(stock, capacityType)?.get(zone)?.has(type) === true
