/** How a call to the fake cloud fails. */
export interface Fault {
  /** As the cloud calls it, e.g. `RequestLimitExceeded` of EC2; `network` for a connection that broke. */
  readonly code: string
  readonly message?: string
  /** The status of the HTTP answer. */
  readonly status?: number
  /** The work is done, and the answer gets lost. */
  readonly afterwards?: boolean
}

/** What the fake cloud allows: its limits, held against each request. */
export interface RequestLimits {
  /** A request arrives. Answers how it is refused above a limit. `isUnbounded`: it has neither a filter nor a page size. */
  admit(call: string, request: { readonly isUnbounded?: boolean }): Fault | undefined
  /** The further requests that an answer takes, one for each page after the first. Answers how one of them is refused. */
  admitPages(call: string, answer: unknown): Fault | undefined
}

/** Calls, counted, and the faults ordered for them. */
export class Faults {
  readonly calls: string[] = []
  readonly #standing = new Map<string, Fault>()
  readonly #next = new Map<string, Fault[]>()
  /** Decides at random, for courses of many faults. */
  chance: ((call: string) => Fault | undefined) | undefined
  readonly #limits: RequestLimits
  readonly #errorOf: (fault: Fault) => Error

  /** `errorOf` makes of a fault what the cloud's client throws. */
  constructor(limits: RequestLimits, errorOf: (fault: Fault) => Error) {
    this.#limits = limits
    this.#errorOf = errorOf
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

  /** Runs a call: counted, held against the limits of the cloud, failing as ordered. */
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
