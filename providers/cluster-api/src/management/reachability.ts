import type { Milliseconds } from '@kerf/apis'
import { ApiError, type Clock, type KubeClient, type Timer, textOfThrown } from '@kerf/runtime'
import { type CallSubject, wrappedClient } from './wrapped-client.ts'

/** Whether the management cluster answers. */
export type Reachability =
  /** Nothing was asked yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'reachable' }
  /** `since`: of the clock's `now()`, when the first call of a row failed. */
  | {
      readonly kind: 'unreachable'
      readonly since: Milliseconds
      readonly reason: 'no-answer' | 'credentials-refused'
      readonly cause: string
    }

/** Who wants to know what the calls came to. */
export interface ReachabilityListener {
  /** It answers again, or does not, or has not for `REPORTED_AFTER`. */
  changed(): void
  /** The API server refused a call for want of a permission. */
  forbidden(subject: CallSubject): void
  /** The API server does not serve a kind. */
  notServed(): void
}

/** A pause that is not worth a report: a rolling API server. */
export const REPORTED_AFTER: Milliseconds = 30_000

/**
 * Notes of every call whether the API server answered. A refusal of one object is an answer; no answer, an error of the
 * server, refused credentials, and credentials that cannot be had are none. The events of a watch are signs of life.
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

  /** How long there has been no sign of life. */
  silentFor(): Milliseconds {
    return this.#clock.monotonic() - this.#answeredAt
  }

  /** Whether it has not answered for at least that long. */
  isAwayFor(duration: Milliseconds): boolean {
    return this.#current.kind === 'unreachable' && this.#clock.now() - this.#current.since >= duration
  }

  /** Stops the timer. */
  close(): void {
    this.#report?.cancel()
  }

  /** The client, whose calls are noted. */
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
    // The first cause of a kind is kept: a text that changes with every call is no news.
    if (before?.reason === reason) return
    this.#current = { kind: 'unreachable', since: before?.since ?? this.#clock.now(), reason, cause }
    this.#report?.cancel()
    this.#report = this.#clock.timer(REPORTED_AFTER, () => this.#listener.changed())
    this.#listener.changed()
  }
}
