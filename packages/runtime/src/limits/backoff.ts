import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import type { Random } from '../random/random.ts'

/** Durations that double from `base` up to `max`. `jitter` adds a random share of up to that much of each. */
export interface BackoffRule {
  readonly base: Milliseconds
  readonly max: Milliseconds
  /** Default 2. */
  readonly factor?: number
  /** Default 0. */
  readonly jitter?: number
}

/** Returns the pause after `failures` failures, counted from 1. Never above `max` before jitter. */
export const backoffAfter = (rule: BackoffRule, failures: number, random?: Random): Milliseconds => {
  // Beyond 2^1000 the product is Infinity, and the minimum is `max`.
  const duration = Math.min(rule.max, rule.base * (rule.factor ?? 2) ** Math.max(0, failures - 1))
  return rule.jitter === undefined || random === undefined ? duration : duration * (1 + rule.jitter * random.next())
}

/** The back-off of one repeated action. */
export class Backoff {
  readonly #rule: BackoffRule
  readonly #random: Random | undefined
  #failures = 0

  constructor(rule: BackoffRule, random?: Random) {
    this.#rule = rule
    this.#random = random
  }

  get failures(): number {
    return this.#failures
  }

  /** Counts another failure and returns the pause after it. */
  next(): Milliseconds {
    this.#failures++
    return backoffAfter(this.#rule, this.#failures, this.#random)
  }

  reset(): void {
    this.#failures = 0
  }
}

export interface RetryRule extends BackoffRule {
  /** The maximum number of attempts, at least 1. */
  readonly attempts: number
  /** Returns whether an error is worth another attempt. By default, all are. */
  readonly when?: (error: unknown) => boolean
}

/** Calls the function until it succeeds, or throws its last error. An abort during a pause throws the signal's reason. */
export const retrying = async <T>(
  environment: { readonly clock: Clock; readonly random?: Random; readonly signal?: AbortSignal },
  rule: RetryRule,
  call: (attempt: number) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    environment.signal?.throwIfAborted()
    try {
      return await call(attempt)
    } catch (error) {
      if (attempt >= rule.attempts || rule.when?.(error) === false) throw error
    }
    await sleep(environment.clock, backoffAfter(rule, attempt, environment.random), environment.signal)
  }
}
