import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { Fault, RequestLimits } from './faults.ts'
import { type BucketSize, TokenBucket } from './token-bucket.ts'

/** What a call of the provider is on the wire: an action, and how many of its answer's items a request brings. */
export interface WireCall<Service extends string> {
  readonly service: Service
  readonly action: string
  readonly page?: number
}

/** A cloud as its requests go: what calls are on the wire, and the documented limits that they are held against. */
export interface CloudLimits<Service extends string> {
  /** As messages name it. */
  readonly cloud: string
  /** By the names of calls. */
  readonly wire: Readonly<Record<string, WireCall<Service>>>
  /** The bucket of a call; nothing where there is no limit. `isUnbounded`: the call has neither a filter nor a page size. */
  readonly bucketOf: (call: WireCall<Service>, isUnbounded: boolean) => BucketSize | undefined
  /** What the service answers above its limit. */
  readonly refusalOf: (service: Service) => Fault
}

/** A request as it went to the cloud. */
export interface RecordedRequest<Service extends string> {
  readonly service: Service
  readonly action: string
  readonly at: Milliseconds
  readonly isRefused: boolean
}

/** Every request to a fake cloud, held against its limits. A list of several pages is several requests. */
export class RecordedRequests<Service extends string> implements RequestLimits {
  readonly made: RecordedRequest<Service>[] = []
  /** Off for what has nothing to do with limits and more to do than they allow. */
  isLimited = true
  readonly #clock: Clock
  readonly #limits: CloudLimits<Service>
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(clock: Clock, limits: CloudLimits<Service>) {
    this.#clock = clock
    this.#limits = limits
  }

  /** A request arrives. Answers what the cloud says above its limit. */
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

  /** The further requests that an answer takes: one for each page after the first. */
  admitPages(call: string, answer: unknown): Fault | undefined {
    const page = this.#limits.wire[call]?.page
    if (page === undefined || !Array.isArray(answer)) return undefined
    for (let left = answer.length - page; left > 0; left -= page) {
      const refusal = this.admit(call)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

  /** Takes so many tokens of the bucket of that name, or none. */
  take(name: string, size: BucketSize, count: number): boolean {
    const bucket = this.#bucket(name, size)
    return !this.isLimited || bucket.take(count)
  }

  /** Keeps the bucket of a call empty for so long, as other callers of the account do. Then it fills again at its rate. */
  drain(call: WireCall<Service>, span: Milliseconds): void {
    const size = this.#limits.bucketOf(call, false)
    if (size !== undefined) this.#bucket(call.action, size).drain(span)
  }

  /** How many there were, by `service:Action`, in the order of their names; of those from `since` on, before `until`. */
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
