import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import type { Random } from '../random/random.ts'

/** A rule for pauses that double from `base` up to `max`. `jitter` adds up to that share of each pause at random. */
export interface BackoffRule {
  readonly base: Milliseconds
  readonly max: Milliseconds
  /** The factor between two pauses. Default 2. */
  readonly factor?: number
  /** The maximum random share. Default 0. */
  readonly jitter?: number
}

/** Returns the pause after `failures` failures, counted from 1. Without jitter it is at most `max`. */
export const backoffAfter = (rule: BackoffRule, failures: number, random?: Random): Milliseconds => {
  // For large numbers of failures the product is Infinity, and the result is `max`.
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

  /** Counts a failure, and returns the pause after it. */
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
  /** Returns whether another attempt makes sense after this error. By default it always does. */
  readonly when?: (error: unknown) => boolean
}

/**
 * Calls the function until it succeeds. Throws its last error if no attempt is left, and the signal's reason if aborted during a
 * pause.
 */
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
