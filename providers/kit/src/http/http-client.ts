import type { Milliseconds } from '@kerf/apis'
import { type BackoffRule, backoffAfter, type Clock, type Random, sleep } from '@kerf/runtime'
import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from './exchange.ts'
import { HttpError, retryAfterTime } from './http-error.ts'

/** Authorizes requests, with a token or a signature. */
export interface Credentials {
  /** Returns the authorized request. Called for each attempt, because signatures contain the time. */
  authorize(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest>
  /** Called when the cloud has refused the credentials of an authorized request. These credentials must not be used again. */
  invalidate(refused: HttpRequest): void
}

export interface RetryPolicy extends BackoffRule {
  /** The total number of attempts. */
  readonly attempts: number
  /** The maximum wait that a server may request. If it requests a longer wait, the call fails, and the caller uses its own back-off. */
  readonly longestWait: Milliseconds
}

/** The retry policy for clouds without a documented policy. */
export const usualRetries: RetryPolicy = { attempts: 4, base: 500, max: 20_000, jitter: 0.5, longestWait: 30_000 }

export interface HttpClientOptions {
  readonly send: Send
  readonly clock: Clock
  readonly random: Random
  readonly retries?: RetryPolicy
  readonly credentials?: Credentials
  /**
   * Returns whether a response with a status other than 429 means that the request was throttled and had no effect. Some clouds report
   * throttling in the body.
   */
  readonly isThrottled?: (answer: HttpResponse) => boolean
  /**
   * The statuses which mean that a server or gateway failed, so that it is unknown whether the request was processed. Default: 500, 502,
   * 503 and 504.
   */
  readonly serverFaults?: ReadonlySet<number>
}

export interface HttpCall extends HttpRequest {
  /**
   * Whether sending the request twice has the same effect as sending it once. Default: true for all methods except POST and PATCH (RFC
   * 9110, section 9.2.2). Set it to true for a POST or PATCH with an idempotency token.
   */
  readonly isRepeatable?: boolean
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300
const SERVER_FAULTS: ReadonlySet<number> = new Set([500, 502, 503, 504])

const isRepeatable = ({ method, isRepeatable: declared }: HttpCall): boolean =>
  declared ?? (method !== 'POST' && method !== 'PATCH')

/**
 * Sends requests to the API of a cloud, and retries them when that is safe (`docs/spec/provider-contract.md#r18`): if the cloud throttles,
 * if the request did not reach the server, after a server error if the request is repeatable, and once after a 401 with new credentials.
 * Waits as long as the server requests. If it requests no wait, uses exponential back-off with jitter.
 */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #retries: RetryPolicy

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#retries = options.retries ?? usualRetries
  }

  /**
   * Returns the response if its status is a success.
   *
   * @throws HttpError for any other response, NoResponseError if there is no response, the error of the credentials, or the signal's
   * reason.
   */
  async call(request: HttpCall, signal: AbortSignal): Promise<HttpResponse> {
    const { clock, credentials } = this.#options
    let isRenewed = false
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const { isRepeatable: _told, ...plain } = request
      const authorized = credentials === undefined ? plain : await credentials.authorize(plain, signal)
      const error = await this.#attempt(plain, authorized, signal)
      if (!(error instanceof Error)) return error
      if (error instanceof HttpError && error.status === 401 && credentials !== undefined && !isRenewed) {
        isRenewed = true
        credentials.invalidate(authorized)
        continue
      }
      const wait = attempt < this.#retries.attempts ? this.#waitAfter(request, error, attempt) : undefined
      if (wait === undefined) throw error
      await sleep(clock, wait, signal)
    }
  }

  /** `plain` is the request without the headers of credentials, for error messages. */
  async #attempt(
    plain: HttpRequest,
    authorized: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse | HttpError | NoResponseError> {
    const { send } = this.#options
    try {
      const answer = await send(authorized, signal)
      return isSuccess(answer) ? answer : new HttpError(plain, answer)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof NoResponseError) return error
      throw error
    }
  }

  /** Returns how long to wait before a retry, or undefined if the request must not be retried. */
  #waitAfter(request: HttpCall, error: HttpError | NoResponseError, attempt: number): Milliseconds | undefined {
    const { clock, random, isThrottled = () => false, serverFaults = SERVER_FAULTS } = this.#options
    const backoff = backoffAfter(this.#retries, attempt, random)
    if (error instanceof NoResponseError) {
      const { kind, wasNeverSent } = error.fault
      // Other faults, such as an untrusted certificate, do not go away after a wait.
      return wasNeverSent || (kind !== 'other' && isRepeatable(request)) ? backoff : undefined
    }
    const { answer, status } = error
    const isNothingDone = status === 429 || isThrottled(answer)
    if (!isNothingDone && !(serverFaults.has(status) && isRepeatable(request))) return undefined
    const asked = retryAfterTime(answer, clock.now())
    if (asked === undefined) return backoff
    return asked > this.#retries.longestWait ? undefined : Math.max(asked, backoff)
  }
}
