import type { Milliseconds } from '@kerf/apis'
import { type BackoffRule, backoffAfter, type Clock, type Random, sleep } from '@kerf/runtime'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from './exchange.ts'
import { HttpError, retryAfterOf } from './http-error.ts'

/** What makes requests acceptable: a token, or a signature. */
export interface Credentials {
  /** The request as the cloud takes it. Asked for each attempt anew, because signatures hold the time. */
  authorize(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest>
  /** The cloud has refused what was given last: it is not to be given again. */
  invalidate(): void
}

export interface RetryPolicy extends BackoffRule {
  /** How often to send in all. */
  readonly attempts: number
  /** A server that asks to wait longer is not waited for: whoever asked does better with its own back-off. */
  readonly longestWait: Milliseconds
}

/** For clouds that say nothing of their own. */
export const usualRetries: RetryPolicy = { attempts: 4, base: 500, max: 20_000, jitter: 0.5, longestWait: 30_000 }

export interface HttpClientOptions {
  readonly send: Send
  readonly clock: Clock
  readonly random: Random
  readonly retries?: RetryPolicy
  readonly credentials?: Credentials
  /** Whether the answer means "not so fast, nothing was done", besides 429: some clouds say that in the body of another. */
  readonly isThrottled?: (answer: HttpResponse) => boolean
}

export interface HttpCall extends HttpRequest {
  /**
   * Whether sending it twice comes to the same as once. So it is of all methods but POST and PATCH (RFC 9110, section
   * 9.2.2), and of those when the request holds a token of its own.
   */
  readonly isRepeatable?: boolean
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300
/** A server or a gateway failed; whether the request was done is not known. */
const SERVER_FAULTS: ReadonlySet<number> = new Set([500, 502, 503, 504])

const isRepeatable = ({ method, isRepeatable: told }: HttpCall): boolean =>
  told ?? (method !== 'POST' && method !== 'PATCH')

/**
 * Sends requests to the API of a cloud, and sends them again where that is safe (`docs/spec/provider-contract.md#r18`): when the
 * cloud throttles, when the request never got there, after a fault for what may be repeated, once with new credentials
 * after a 401. It waits as long as the server asks, else longer each time, with jitter.
 */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #retries: RetryPolicy

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#retries = options.retries ?? usualRetries
  }

  /**
   * The answer, when it is one of success.
   *
   * @throws HttpError for another answer, NoResponseError without one, what the credentials throw, or the signal's reason.
   */
  async call(request: HttpCall, signal: AbortSignal): Promise<HttpResponse> {
    const { clock, credentials } = this.#options
    let isRenewed = false
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const error = await this.#attempt(request, signal)
      if (!(error instanceof Error)) return error
      if (error instanceof HttpError && error.status === 401 && credentials !== undefined && !isRenewed) {
        isRenewed = true
        credentials.invalidate()
        continue
      }
      const wait = attempt < this.#retries.attempts ? this.#waitAfter(request, error, attempt) : undefined
      if (wait === undefined) throw error
      await sleep(clock, wait, signal)
    }
  }

  async #attempt(request: HttpCall, signal: AbortSignal): Promise<HttpResponse | HttpError | NoResponseError> {
    const { send, credentials } = this.#options
    const { isRepeatable: _told, ...plain } = request
    const authorized = credentials === undefined ? plain : await credentials.authorize(plain, signal)
    try {
      const answer = await send(authorized, signal)
      return isSuccess(answer) ? answer : new HttpError(plain, answer)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof NoResponseError) return error
      throw error
    }
  }

  /** How long to wait before the request is sent again; nothing when it is not. */
  #waitAfter(request: HttpCall, error: HttpError | NoResponseError, attempt: number): Milliseconds | undefined {
    const { clock, random, isThrottled = () => false } = this.#options
    const backoff = backoffAfter(this.#retries, attempt, random)
    if (error instanceof NoResponseError) {
      const { kind, wasNeverSent } = error.fault
      // Of other faults, such as a certificate that nobody vouches for, waiting cures none.
      return wasNeverSent || (kind !== 'other' && isRepeatable(request)) ? backoff : undefined
    }
    const { answer, status } = error
    const isNothingDone = status === 429 || isThrottled(answer)
    if (!isNothingDone && !(SERVER_FAULTS.has(status) && isRepeatable(request))) return undefined
    const asked = retryAfterOf(answer, clock.now())
    if (asked === undefined) return backoff
    return asked > this.#retries.longestWait ? undefined : Math.max(asked, backoff)
  }
}
