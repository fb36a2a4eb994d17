import type { Milliseconds } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { type Clock, defineMetrics, type Metrics, type Timer } from '@kerf/runtime'

/** The result of one request in a batch. */
export type BatchResult<Out> =
  | { readonly ok: true; readonly value: Out }
  | { readonly ok: false; readonly error: unknown }

export interface BatcherOptions<In, Out> {
  /** The metric label `batcher`. */
  readonly name: string
  readonly clock: Clock
  readonly metrics: Metrics
  /**
   * A batch is sent when no further request has arrived for this long. It is sent earlier if `max` has passed or the batch has `items`
   * requests.
   */
  readonly idle: Milliseconds
  /** The maximum time between the first request of a batch and the call. */
  readonly max: Milliseconds
  /** The maximum number of requests in a batch. */
  readonly items: number
  /** Returns the bucket of a request. Only requests in the same bucket share a call. */
  readonly bucketOf: (input: In) => string
  /** Sends one call for at most `items` requests, and returns their results in the order of `inputs`. If it throws, all requests fail. */
  readonly send: (inputs: readonly In[], signal: AbortSignal) => Promise<readonly BatchResult<Out>[]>
}

interface Waiting<In, Out> {
  readonly input: In
  readonly resolve: (value: Out) => void
  readonly reject: (error: unknown) => void
}

interface Batch<In, Out> {
  readonly waiting: Waiting<In, Out>[]
  readonly opened: Milliseconds
  idle: Timer
  readonly deadline: Timer
}

/** The bucket boundaries of the batch size metric (`docs/spec/metrics.md#buckets-and-quantiles`). */
const SIZES = [
  1, 2, 4, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150, 175, 200, 225, 250, 275, 300, 350, 400, 450,
  500, 550, 600, 700, 800, 900, 1000,
]

export const batchMetrics = defineMetrics({
  times: {
    name: 'karpenter_cloudprovider_batcher_batch_time_seconds',
    type: 'histogram',
    help: 'Time during which requests were collected into a batch.',
    labels: ['batcher'],
    buckets: DURATION_BUCKETS,
  },
  sizes: {
    name: 'karpenter_cloudprovider_batcher_batch_size',
    type: 'histogram',
    help: 'Requests in a batch.',
    labels: ['batcher'],
    buckets: SIZES,
  },
})

/**
 * Combines requests that arrive at nearly the same time into one call (`providers/aws/docs/spec/aws.md#batching`). A request that is
 * aborted while it waits is removed from its batch. A request that is aborted after the batch was sent fails immediately, but the call
 * continues for the other requests.
 */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>
  readonly #open = new Map<string, Batch<In, Out>>()
  readonly #times
  readonly #sizes

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options
    const registered = batchMetrics.register(options.metrics)
    this.#times = registered.times
    this.#sizes = registered.sizes
  }

  /** Adds a request to a batch and returns its result. */
  async add(input: In, signal: AbortSignal): Promise<Out> {
    signal.throwIfAborted()
    const bucket = this.#options.bucketOf(input)
    const { promise, resolve, reject } = Promise.withResolvers<Out>()
    const waiting = { input, resolve, reject }
    const batch = this.#batchFor(bucket)
    batch.waiting.push(waiting)
    const onAbort = (): void => {
      batch.waiting.splice(batch.waiting.indexOf(waiting), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    if (batch.waiting.length >= this.#options.items) this.#close(bucket, batch)
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #batchFor(bucket: string): Batch<In, Out> {
    const { clock, idle, max } = this.#options
    const open = this.#open.get(bucket)
    if (open !== undefined) {
      open.idle.cancel()
      open.idle = clock.timer(idle, () => this.#close(bucket, open))
      return open
    }
    const batch: Batch<In, Out> = {
      waiting: [],
      opened: clock.monotonic(),
      idle: clock.timer(idle, () => this.#close(bucket, batch)),
      deadline: clock.timer(max, () => this.#close(bucket, batch)),
    }
    this.#open.set(bucket, batch)
    return batch
  }

  #close(bucket: string, batch: Batch<In, Out>): void {
    if (this.#open.get(bucket) !== batch) return
    this.#open.delete(bucket)
    batch.idle.cancel()
    batch.deadline.cancel()
    if (batch.waiting.length > 0) void this.#send(batch)
  }

  async #send(batch: Batch<In, Out>): Promise<void> {
    const { name, clock, send } = this.#options
    // The list of requests is fixed from here on. Requests that are aborted later remain in the call.
    const waiting = [...batch.waiting]
    this.#times.observe((clock.monotonic() - batch.opened) / 1000, { batcher: name })
    this.#sizes.observe(waiting.length, { batcher: name })
    try {
      const answers = await send(
        waiting.map(({ input }) => input),
        new AbortController().signal,
      )
      for (const [index, { resolve, reject }] of waiting.entries()) {
        const answer = answers[index]
        if (answer === undefined) reject(new InvariantError(`batch ${name} has no answer for one of its requests`))
        else if (answer.ok) resolve(answer.value)
        else reject(answer.error)
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
