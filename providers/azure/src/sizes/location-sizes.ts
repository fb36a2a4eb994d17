import type { Milliseconds } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { RecentItems, SingleFlight } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ComputeApi } from '../api/azure-api.ts'
import { isSupportedSize } from './supported-size.ts'
import { parseVmSize, type VmSize } from './vm-size.ts'

/** How long Kerf keeps a size that is missing in an answer. Kerf reads the sizes every half day, so this covers two answers. */
const KEPT_FOR: Milliseconds = 24 * 3_600_000

/** The VM sizes for nodes in the location that the subscription may use (`providers/azure/docs/spec/azure.md#source-and-refresh`). */
export class LocationSizes {
  readonly #compute: Pick<ComputeApi, 'resourceSkus'>
  readonly #clock: Clock
  readonly #location: string
  readonly #reading = new SingleFlight<void>()
  readonly #recent: RecentItems<VmSize>
  readonly #recentZones: RecentItems<{ readonly size: string; readonly zone: string }>
  #sizes: ReadonlyMap<string, VmSize> = new Map()
  #readAt: Milliseconds | undefined
  #fingerprint = ''
  #sequence = 0

  constructor(compute: Pick<ComputeApi, 'resourceSkus'>, clock: Clock, location: string) {
    this.#compute = compute
    this.#clock = clock
    this.#location = location
    this.#recent = new RecentItems(clock, { keptFor: KEPT_FOR })
    this.#recentZones = new RecentItems(clock, { keptFor: KEPT_FOR })
  }

  /** The time since the sizes were last read, or infinity if they were never read. */
  get age(): Milliseconds {
    return this.#readAt === undefined ? Number.POSITIVE_INFINITY : this.#clock.monotonic() - this.#readAt
  }

  /** A number that changes whenever the sizes change. */
  get sequence(): number {
    return this.#sequence
  }

  /** Sorted by name. */
  get all(): readonly VmSize[] {
    return [...this.#sizes.values()]
  }

  get(name: string): VmSize | undefined {
    return this.#sizes.get(name)
  }

  /**
   * Reads the sizes from Azure. Concurrent callers share the answer. If the answer is empty, keeps the known sizes. If the answer lacks a
   * size or zone, keeps it for a day, so that an incomplete answer does not cause drift.
   */
  read(signal: AbortSignal): Promise<void> {
    return this.#reading.run('', (inner) => this.#read(inner), signal)
  }

  /** Reads the sizes unless they are already known. */
  async ensure(signal: AbortSignal): Promise<void> {
    if (this.#sizes.size === 0) await this.read(signal)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const skus = await this.#compute.resourceSkus(signal)
    const answer = skus.flatMap((sku) => parseVmSize(sku, this.#location) ?? []).filter(isSupportedSize)
    this.#readAt = this.#clock.monotonic()
    if (answer.length === 0) {
      if (this.#sizes.size === 0)
        throw providerErrors.IncompleteAnswer({
          problem: `Azure offers no VM size for nodes in ${this.#location}`,
        })
      return
    }
    const sizes = this.#withFormerZones(this.#recent.merge(answer, ({ name }) => name)).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
    const fingerprint = JSON.stringify(sizes)
    if (fingerprint === this.#fingerprint) return
    this.#fingerprint = fingerprint
    this.#sizes = new Map(sizes.map((size) => [size.name, size]))
    this.#sequence++
  }

  #withFormerZones(sizes: readonly VmSize[]): readonly VmSize[] {
    const places = sizes.flatMap(({ name, zones }) => zones.map((zone) => ({ size: name, zone })))
    const recent = Map.groupBy(
      this.#recentZones.merge(places, ({ size, zone }) => `${size} ${zone}`),
      ({ size }) => size,
    )
    return sizes.map((size) => {
      const former = (recent.get(size.name) ?? []).map(({ zone }) => zone).filter((zone) => !size.zones.includes(zone))
      return former.length === 0 ? size : { ...size, formerZones: former.toSorted() }
    })
  }
}
