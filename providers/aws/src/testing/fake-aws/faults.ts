import type { Requests } from './requests.ts'

/** The faults that a test injected into the fake cloud. */
export interface Fault {
  /** As the service calls it, e.g. `RequestLimitExceeded`; `network` for a connection that broke. */
  readonly code: string
  readonly message?: string
  readonly status?: number
  /** The work is done, and the answer gets lost. */
  readonly afterwards?: boolean
}

/** How often the SDK tries what a server failed, what was throttled, and a connection that broke (its standard mode). */
const ATTEMPTS = 3

/**
 * An error as the SDK throws it once it gives up. That of a connection that broke has `$metadata` as well, with attempts and
 * without a status (`api/sdk.test.ts` shows it with the SDK itself).
 */
export const sdkError = ({ code, message = code, status = 400 }: Fault): Error =>
  code === 'network'
    ? Object.assign(new Error('socket hang up'), {
        code: 'ECONNRESET',
        $metadata: { attempts: ATTEMPTS, totalRetryDelay: 300 },
      })
    : Object.assign(new Error(message), {
        name: code,
        Code: code,
        $fault: status >= 500 ? 'server' : 'client',
        $metadata: { httpStatusCode: status, requestId: 'req-1', attempts: status >= 500 ? ATTEMPTS : 1 },
      })

/** Calls, counted, and the faults ordered for them. */
export class Faults {
  readonly calls: string[] = []
  readonly #standing = new Map<string, Fault>()
  readonly #next = new Map<string, Fault[]>()
  /** Decides at random, for courses of many faults. */
  chance: ((call: string) => Fault | undefined) | undefined
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Every call of that name fails until `recover`. */
  standing(call: string, fault: Fault): void {
    this.#standing.set(call, fault)
  }

  /** The next call of that name fails. */
  next(call: string, fault: Fault): void {
    this.#next.set(call, [...(this.#next.get(call) ?? []), fault])
  }

  recover(): void {
    this.#standing.clear()
    this.#next.clear()
    this.chance = undefined
  }

  count(...calls: readonly string[]): number {
    return this.calls.filter((call) => calls.includes(call)).length
  }

  /** Runs a call: counted, held against the limits of AWS, failing as ordered. */
  async run<T>(
    call: string,
    signal: AbortSignal,
    work: () => T,
    request: { readonly isUnbounded?: boolean } = {},
  ): Promise<T> {
    signal.throwIfAborted()
    this.calls.push(call)
    const refusal = this.#requests.admit(call, request)
    if (refusal !== undefined) throw sdkError(refusal)
    const fault = this.#next.get(call)?.shift() ?? this.#standing.get(call) ?? this.chance?.(call)
    if (fault !== undefined && fault.afterwards !== true) throw sdkError(fault)
    const result = work()
    const refusedPage = this.#requests.admitPages(call, result)
    if (refusedPage !== undefined) throw sdkError(refusedPage)
    if (fault !== undefined) throw sdkError(fault)
    return result
  }
}
