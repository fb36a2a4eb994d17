import { type Event, formatTime, type KubeObject, kinds, type Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import { informerKey } from '../informers/key-of.ts'
import { ApiError, isNotFound } from '../kube-client/api-error.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import { backoffAfter } from '../limits/backoff.ts'
import { TokenBucket } from '../limits/token-bucket.ts'
import { TtlCache } from '../limits/ttl-cache.ts'
import type { Logger } from '../logging/logger.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Fifo } from '../queue/fifo.ts'
import type { Random } from '../random/random.ts'
import type { EventRecorder, RecordedEvent } from './event-recorder.ts'

export interface ApiEventRecorderOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics?: Metrics
  /** `source.component` of the Events. Default `karpenter`. */
  readonly component?: string
}

/** How long the recorder drops equal Events by default (`docs/spec/events.md#publishing`). */
const DEDUPE_FOR: Milliseconds = 120_000
/** How long repetitions of an Event are counted on the existing Event, as in client-go's correlator. */
const AGGREGATE_FOR: Milliseconds = 600_000
/** The limit for each object, as in client-go's spam filter: 25 Events at once, and then one every five minutes. */
const PER_OBJECT = { qps: 1 / 300, burst: 25 }
/** The maximum number of Events in the queue. The recorder drops further Events, so that callers need not wait. */
const LONGEST_QUEUE = 1_000
/** The maximum number of objects, and of counted Events, in memory. client-go's caches have the same size. */
const MEMORY = 4_096
/** The maximum number of Events in memory for deduplication: ten for each object. */
const SEEN_MEMORY = 40_960
const ATTEMPTS = 4
/** The back-off between attempts. It needs no maximum, because the number of attempts limits it. */
const RETRY = { base: 1_000, max: Number.POSITIVE_INFINITY, jitter: 0.5 }

interface Written {
  readonly namespace: string
  readonly name: string
  readonly count: number
}

/** An Event in the queue, and the identity by which its repetitions are counted. */
interface Pending {
  readonly event: RecordedEvent
  readonly identity: string
  readonly at: Milliseconds
}

/** Returns an identifier of the object, even for an object that is not stored yet. */
const objectUid = (object: KubeObject): string => object.metadata.uid ?? `${object.kind} ${informerKey(object)}`

export const eventMetrics = defineMetrics({
  lost: {
    name: 'kerf_events_not_written_total',
    type: 'counter',
    help: 'Kubernetes Events that could not be written, by status code of the API server; 0 without a response.',
    labels: ['code'],
  },
})

const isNamespaceEnding = (error: unknown): boolean =>
  error instanceof ApiError && error.details.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true

/**
 * Writes Events to the API server in the background. It drops Events rather than blocking callers. It counts the Events that the server
 * refuses, and logs a refusal once. It logs other problems at the level debug.
 */
export class ApiEventRecorder implements EventRecorder {
  readonly #options: ApiEventRecorderOptions
  /** The keys of recent Events. There are no values. */
  readonly #seen: TtlCache<string, undefined>
  readonly #written: TtlCache<string, Written>
  readonly #perObject: TtlCache<string, TokenBucket>
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #queue = new Fifo<Pending>()
  readonly #closing = new AbortController()
  readonly #metrics
  /** The status of the server's last refusal, or undefined after a successful write. */
  #refusal: string | undefined
  #writing: Promise<void> | undefined

  constructor(options: ApiEventRecorderOptions) {
    const { clock } = options
    this.#options = options
    this.#metrics = options.metrics && eventMetrics.register(options.metrics)
    this.#seen = new TtlCache(clock, { ttl: DEDUPE_FOR, maxSize: SEEN_MEMORY })
    this.#written = new TtlCache(clock, { ttl: AGGREGATE_FOR, maxSize: MEMORY })
    // Entries need not expire, because a bucket that was idle for a long time is full, like a new one.
    this.#perObject = new TtlCache(clock, { ttl: Number.POSITIVE_INFINITY, maxSize: MEMORY })
  }

  publish(event: RecordedEvent): void {
    if (this.#closing.signal.aborted || this.#isRepeated(event) || !this.#isWithinRate(event)) return
    if (this.#queue.size >= LONGEST_QUEUE) return
    const identity = [objectUid(event.object), event.type, event.reason, event.message].join('\u0000')
    this.#queue.push({ event, identity, at: this.#options.clock.now() })
    this.#writing ??= this.#work()
  }

  /** Resolves when all published Events are written or dropped, or after `within`. The recorder is then closed. */
  async close(within: Milliseconds = 2_000): Promise<void> {
    if (this.#writing !== undefined) {
      const over = new AbortController()
      const written = this.#writing.then(() => over.abort())
      await Promise.race([written, sleep(this.#options.clock, within, over.signal).catch(() => {})])
    }
    this.#closing.abort(new Error('event recorder closed'))
    this.#queue.clear()
  }

  #isRepeated(event: RecordedEvent): boolean {
    if (event.dedupeValues === undefined || event.dedupeValues.length === 0) return false
    const key = `${event.reason}-${event.dedupeValues.join('-')}`
    if (this.#seen.has(key)) return true
    this.#seen.set(key, undefined, event.dedupeFor ?? DEDUPE_FOR)
    return false
  }

  #isWithinRate(event: RecordedEvent): boolean {
    const { clock } = this.#options
    const { rateLimit } = event
    if (rateLimit !== undefined) {
      const bucket = this.#buckets.get(rateLimit.bucket) ?? new TokenBucket(clock, rateLimit)
      this.#buckets.set(rateLimit.bucket, bucket)
      if (!bucket.tryTake()) return false
    }
    const uid = objectUid(event.object)
    const bucket = this.#perObject.get(uid) ?? new TokenBucket(clock, PER_OBJECT)
    this.#perObject.set(uid, bucket)
    return bucket.tryTake()
  }

  // There is only one writer, so Events stay in order, and no two requests update the count of the same Event.
  async #work(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      try {
        await this.#deliver(next)
      } catch (error) {
        // An Event that cannot be built must not block the others.
        this.#options.logger.debug('event not written', { reason: next.event.reason, error })
      }
    }
    this.#writing = undefined
  }

  async #deliver(pending: Pending): Promise<void> {
    const { clock, random } = this.#options
    const signal = this.#closing.signal
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#write(pending, signal)
        this.#refusal = undefined
        return
      } catch (error) {
        // If the server refuses an Event (terminating namespace, missing permission), a retry would be refused as well.
        const refused = error instanceof ApiError && error.code >= 400 && error.code < 500 && error.code !== 429
        if (signal.aborted || refused || attempt >= ATTEMPTS) {
          if (!signal.aborted) this.#lost(pending, error, refused)
          return
        }
        await sleep(clock, backoffAfter(RETRY, attempt, random), signal).catch(() => {})
      }
    }
  }

  /** Drops an Event. If several refusals have the same cause, logs only the first, with client-go's message. */
  #lost({ event }: Pending, error: unknown, isRefused: boolean): void {
    const { logger } = this.#options
    const { reason } = event
    const answer = error instanceof ApiError ? error : undefined
    this.#metrics?.lost.inc({ code: String(answer?.code ?? 0) })
    const cause = `${answer?.code} ${answer?.reason}`
    // A terminating namespace accepts no Events. This is expected, so it is not logged as a warning.
    const isNews = isRefused && cause !== this.#refusal && !isNamespaceEnding(error) && !isNotFound(error)
    if (!isNews) {
      logger.debug('event not written', { reason, error })
      return
    }
    this.#refusal = cause
    logger.warn('Server rejected event; Kerf continues without it and tries later events', { reason, error })
  }

  async #write(pending: Pending, signal: AbortSignal): Promise<void> {
    const { client } = this.#options
    const known = this.#written.get(pending.identity)
    if (known !== undefined) {
      const count = known.count + 1
      try {
        const body = { count, lastTimestamp: formatTime(pending.at) }
        await client.patch(kinds.Event, known, { type: 'strategic', body }, { signal })
        this.#written.set(pending.identity, { ...known, count })
        return
      } catch (error) {
        // The Event does not exist any more: the server deletes Events after an hour, or a user deleted it.
        if (!isNotFound(error)) throw error
        this.#written.delete(pending.identity)
      }
    }
    const { metadata } = pending.event.object
    const suffix = this.#options.random.text(16, '0123456789abcdef')
    // Names may have up to 253 characters.
    const ref = {
      namespace: metadata.namespace || 'default',
      name: `${metadata.name.slice(0, 236).replace(/[-.]+$/, '')}.${suffix}`,
    }
    await client.create(kinds.Event, this.#eventOf(pending, ref), { signal })
    this.#written.set(pending.identity, { ...ref, count: 1 })
  }

  #eventOf({ event, at }: Pending, ref: Pick<Written, 'namespace' | 'name'>): Event {
    const { apiVersion, kind, metadata } = event.object
    const component = this.#options.component ?? 'karpenter'
    const time = formatTime(at)
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: ref,
      involvedObject: {
        apiVersion,
        kind,
        name: metadata.name,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        ...(metadata.uid !== undefined && { uid: metadata.uid }),
        ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
      },
      type: event.type,
      reason: event.reason,
      message: event.message,
      source: { component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    }
  }
}
