/** How a call to the fake cloud fails. */
export interface Fault {
  /** The error code of the cloud, for example `RequestLimitExceeded` for EC2. `network` stands for a broken connection. */
  readonly code: string
  readonly message?: string
  /** The status of the HTTP response. */
  readonly status?: number
  /** Whether the work is done and only the response is lost. */
  readonly afterwards?: boolean
}

/** The request limits that the fake cloud enforces. */
export interface RequestLimits {
  /**
   * Counts a request. Returns the refusal if the request exceeds a limit. `isUnbounded` is true if the request has neither a filter nor a
   * page size.
   */
  admit(call: string, request: { readonly isUnbounded?: boolean }): Fault | undefined
  /**
   * Counts the additional requests for a response with several pages, one for each page after the first. Returns the refusal if one of them
   * exceeds a limit.
   */
  admitPages(call: string, answer: unknown): Fault | undefined
}

/** Counts calls, and makes them fail when the test requests it. */
export class Faults {
  readonly calls: string[] = []
  readonly #standing = new Map<string, Fault>()
  readonly #next = new Map<string, Fault[]>()
  /** Returns a random fault for a call, or undefined. Used by tests with many faults. */
  chance: ((call: string) => Fault | undefined) | undefined
  readonly #limits: RequestLimits
  readonly #errorOf: (fault: Fault) => Error

  /** `errorOf` returns the error that the cloud's client throws for a fault. */
  constructor(limits: RequestLimits, errorOf: (fault: Fault) => Error) {
    this.#limits = limits
    this.#errorOf = errorOf
  }

  /** Makes every call with this name fail until `recover` is called. */
  standing(call: string, fault: Fault): void {
    this.#standing.set(call, fault)
  }

  /** Makes the next call with this name fail. */
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

  /** Runs a call: counts it, applies the limits of the cloud, and makes it fail if the test requests it. */
  async run<T>(
    call: string,
    signal: AbortSignal,
    work: () => T,
    request: { readonly isUnbounded?: boolean } = {},
  ): Promise<T> {
    signal.throwIfAborted()
    this.calls.push(call)
    const refusal = this.#limits.admit(call, request)
    if (refusal !== undefined) throw this.#errorOf(refusal)
    const fault = this.#next.get(call)?.shift() ?? this.#standing.get(call) ?? this.chance?.(call)
    if (fault !== undefined && fault.afterwards !== true) throw this.#errorOf(fault)
    const result = work()
    const refusedPage = this.#limits.admitPages(call, result)
    if (refusedPage !== undefined) throw this.#errorOf(refusedPage)
    if (fault !== undefined) throw this.#errorOf(fault)
    return result
  }
}
