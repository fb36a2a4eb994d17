import type { Milliseconds } from '@kerf/apis'
import { ApiError, type Clock, type KubeClient, type Timer, textOfThrown } from '@kerf/runtime'
import { type CallSubject, wrappedClient } from './wrapped-client.ts'

/** Whether the management cluster answers. */
export type Reachability =
  /** Kerf has sent no request yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'reachable' }
  /** `since` is the time of the first failed call of the current series, according to the clock's `now()`. */
  | {
      readonly kind: 'unreachable'
      readonly since: Milliseconds
      readonly reason: 'no-answer' | 'credentials-refused'
      readonly cause: string
    }

/** Listens to the results of calls. */
export interface ReachabilityListener {
  /** Called when the API server answers again, stops answering, or has not answered for `REPORTED_AFTER`. */
  changed(): void
  /** Called when the API server refused a call because of a missing permission. */
  forbidden(subject: CallSubject): void
  /** Called when the API server does not serve a kind. */
  notServed(): void
}

/** Kerf does not report a shorter outage, because it may be a restart of the API server. */
export const REPORTED_AFTER: Milliseconds = 30_000

/**
 * Records for every call whether the API server responded. If the server refuses a call for one object, that still counts as a response. A
 * missing response, a server error, and missing or refused credentials do not count. Watch events count as responses.
 */
export class ReachabilityRecord {
  readonly #clock: Clock
  readonly #listener: ReachabilityListener
  #current: Reachability = { kind: 'unknown' }
  #answeredAt: Milliseconds = Number.NEGATIVE_INFINITY
  #report: Timer | undefined

  constructor(clock: Clock, listener: ReachabilityListener) {
    this.#clock = clock
    this.#listener = listener
  }

  get current(): Reachability {
    return this.#current
  }

  /** Returns the time since the API server last answered. */
  silentFor(): Milliseconds {
    return this.#clock.monotonic() - this.#answeredAt
  }

  /** Returns true if the API server has not answered for at least this long. */
  isAwayFor(duration: Milliseconds): boolean {
    return this.#current.kind === 'unreachable' && this.#clock.now() - this.#current.since >= duration
  }

  /** Stops the timer. */
  close(): void {
    this.#report?.cancel()
  }

  /** Returns a client that records the result of each call. */
  observed(client: KubeClient): KubeClient {
    const note = this.#note.bind(this)
    const answered = this.#answered.bind(this)
    return wrappedClient({
      call: async (send, subject, signal) => {
        try {
          const result = await send(client)
          answered()
          return result
        } catch (error) {
          note(error, subject, signal)
          throw error
        }
      },
      watch: async function* (open, subject, signal) {
        try {
          for await (const event of open(client)) {
            answered()
            yield event
          }
        } catch (error) {
          note(error, subject, signal)
          throw error
        }
      },
    })
  }

  #answered(): void {
    this.#answeredAt = this.#clock.monotonic()
    if (this.#current.kind === 'reachable') return
    this.#report?.cancel()
    this.#current = { kind: 'reachable' }
    this.#listener.changed()
  }

  #note(error: unknown, subject: CallSubject | undefined, signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) return
    const code = error instanceof ApiError ? error.code : 0
    if (code === 0 || code === 401 || code >= 500) {
      this.#failed(code === 401 ? 'credentials-refused' : 'no-answer', textOfThrown(error))
      return
    }
    this.#answered()
    if (code === 403 && subject !== undefined) this.#listener.forbidden(subject)
    if (code === 404 && (subject?.verb === 'list' || subject?.verb === 'watch')) this.#listener.notServed()
  }

  #failed(reason: 'no-answer' | 'credentials-refused', cause: string): void {
    const before = this.#current.kind === 'unreachable' ? this.#current : undefined
    // If the reason is the same, keep the first error message. Otherwise, Kerf would report the problem again whenever the message differs.
    if (before?.reason === reason) return
    this.#current = { kind: 'unreachable', since: before?.since ?? this.#clock.now(), reason, cause }
    this.#report?.cancel()
    this.#report = this.#clock.timer(REPORTED_AFTER, () => this.#listener.changed())
    this.#listener.changed()
  }
}
