import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { Fault, RequestLimits } from './faults.ts'
import { type BucketSize, TokenBucket } from './token-bucket.ts'

/** How a call of the provider is sent: the service, the action, and the maximum number of items per request. */
export interface WireCall<Service extends string> {
  readonly service: Service
  readonly action: string
  readonly page?: number
}

/** How calls to a cloud are sent, and the documented limits for them. */
export interface CloudLimits<Service extends string> {
  /** The name of the cloud in messages. */
  readonly cloud: string
  /** Keyed by call name. */
  readonly wire: Readonly<Record<string, WireCall<Service>>>
  /**
   * Returns the bucket for a call, or undefined if there is no limit. `isUnbounded` is true if the call has neither a filter nor a page
   * size.
   */
  readonly bucketOf: (call: WireCall<Service>, isUnbounded: boolean) => BucketSize | undefined
  /** Returns the fault that the service returns for requests above its limit. */
  readonly refusalOf: (service: Service) => Fault
}

/** A request that was sent to the cloud. */
export interface RecordedRequest<Service extends string> {
  readonly service: Service
  readonly action: string
  readonly at: Milliseconds
  readonly isRefused: boolean
}

/** Records all requests to a fake cloud and applies its limits. A list with several pages counts as several requests. */
export class RecordedRequests<Service extends string> implements RequestLimits {
  readonly made: RecordedRequest<Service>[] = []
  /** Set to false by tests that do not test limits and that send more requests than the limits allow. */
  isLimited = true
  readonly #clock: Clock
  readonly #limits: CloudLimits<Service>
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(clock: Clock, limits: CloudLimits<Service>) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Counts a request. Returns the cloud's refusal if the request exceeds the limit. */
  admit(call: string, { isUnbounded = false }: { readonly isUnbounded?: boolean } = {}): Fault | undefined {
    const { cloud, wire, bucketOf, refusalOf } = this.#limits
    const known = wire[call]
    if (known === undefined) throw new Error(`the fake ${cloud} does not know what ${call} is on the wire`)
    const { service, action } = known
    const size = bucketOf(known, isUnbounded)
    const isRefused = size !== undefined && !this.take(`${action}${isUnbounded ? ' unbounded' : ''}`, size, 1)
    this.made.push({ service, action, at: this.#clock.monotonic(), isRefused })
    return isRefused ? refusalOf(service) : undefined
  }

  /** Counts the additional requests for a response with several pages, one for each page after the first. */
  admitPages(call: string, answer: unknown): Fault | undefined {
    const page = this.#limits.wire[call]?.page
    if (page === undefined || !Array.isArray(answer)) return undefined
    for (let left = answer.length - page; left > 0; left -= page) {
      const refusal = this.admit(call)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

  /** Takes `count` tokens from the bucket with this name and returns true. Takes none and returns false if the bucket has fewer. */
  take(name: string, size: BucketSize, count: number): boolean {
    const bucket = this.#bucket(name, size)
    return !this.isLimited || bucket.take(count)
  }

  /**
   * Keeps the bucket for a call empty for `span`, as if other callers in the account used it up. Afterwards, the bucket refills at its
   * normal rate.
   */
  drain(call: WireCall<Service>, span: Milliseconds): void {
    const size = this.#limits.bucketOf(call, false)
    if (size !== undefined) this.#bucket(call.action, size).drain(span)
  }

  /** Returns the number of requests from `since` (inclusive) to `until` (exclusive), by `service:Action` and sorted by key. */
  counts({ since = 0, until = Number.POSITIVE_INFINITY } = {}): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { service, action, at } of this.made) {
      if (at < since || at >= until) continue
      const key = `${service.toLowerCase()}:${action}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #bucket(name: string, size: BucketSize): TokenBucket {
    const bucket = this.#buckets.get(name) ?? new TokenBucket(this.#clock, size)
    this.#buckets.set(name, bucket)
    return bucket
  }
}
