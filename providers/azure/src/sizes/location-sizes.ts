import type { Milliseconds } from '@kerf/apis'
import { SingleFlight } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ComputeApi } from '../api/azure-api.ts'
import { isSupportedSize } from './supported-size.ts'
import { type VmSize, vmSizeOf } from './vm-size.ts'

/** The sizes that nodes can be of in the location, as the subscription may use them (`docs/spec/azure.md#source-and-refresh`). */
export class LocationSizes {
  readonly #compute: Pick<ComputeApi, 'resourceSkus'>
  readonly #clock: Clock
  readonly #location: string
  readonly #reading = new SingleFlight<void>()
  #sizes: ReadonlyMap<string, VmSize> = new Map()
  #readAt: Milliseconds | undefined
  #fingerprint = ''
  #sequence = 0

  constructor(compute: Pick<ComputeApi, 'resourceSkus'>, clock: Clock, location: string) {
    this.#compute = compute
    this.#clock = clock
    this.#location = location
  }

  /** How long ago they were read; for ever when they were not. */
  get age(): Milliseconds {
    return this.#readAt === undefined ? Number.POSITIVE_INFINITY : this.#clock.monotonic() - this.#readAt
  }

  /** Changes when the sizes have. */
  get sequence(): number {
    return this.#sequence
  }

  /** In the order of their names. */
  get all(): readonly VmSize[] {
    return [...this.#sizes.values()]
  }

  get(name: string): VmSize | undefined {
    return this.#sizes.get(name)
  }

  /** Asks Azure; many who ask at once share the answer. An empty answer keeps what is known. */
  read(signal: AbortSignal): Promise<void> {
    return this.#reading.run('', (inner) => this.#read(inner), signal)
  }

  /** Asks unless there is something already. */
  async ensure(signal: AbortSignal): Promise<void> {
    if (this.#sizes.size === 0) await this.read(signal)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const skus = await this.#compute.resourceSkus(signal)
    const sizes = skus
      .flatMap((sku) => vmSizeOf(sku, this.#location) ?? [])
      .filter(isSupportedSize)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    this.#readAt = this.#clock.monotonic()
    if (sizes.length === 0) {
      if (this.#sizes.size === 0)
        throw new Error(`Azure offers no size of VM in ${this.#location} that nodes can be of`)
      return
    }
    const fingerprint = JSON.stringify(sizes)
    if (fingerprint === this.#fingerprint) return
    this.#fingerprint = fingerprint
    this.#sizes = new Map(sizes.map((size) => [size.name, size]))
    this.#sequence++
  }
}
