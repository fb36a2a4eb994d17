import type { Milliseconds } from '@kerf/apis'
import { type BackoffRule, backoffAfter } from '@kerf/runtime'

/** Up to as long as an offering without capacity is not tried again. */
const RULE: BackoffRule = { base: 5_000, max: 180_000 }

interface Failures {
  readonly count: number
  readonly at: Milliseconds
}

/**
 * Static pools whose claims were deleted without ever becoming a node. A claim without capacity is deleted at once, and its
 * deletion asks for the next: without a pause that would repeat as fast as the API answers.
 */
export class FailedLaunches {
  readonly #pools = new Map<string, Failures>()

  /** A claim of the pool is gone and was never launched. */
  note(pool: string, now: Milliseconds): void {
    const before = this.#pools.get(pool)
    // Those of one pass fail together and count once.
    if (before !== undefined && now - before.at < RULE.base) return
    this.#pools.set(pool, { count: (before?.count ?? 0) + 1, at: now })
  }

  /** A claim was launched, or somebody asks for another number of them. */
  clear(pool: string): void {
    this.#pools.delete(pool)
  }

  /** How long the pool's next claims should wait. */
  wait(pool: string, now: Milliseconds): Milliseconds {
    const failures = this.#pools.get(pool)
    return failures === undefined ? 0 : Math.max(0, failures.at + backoffAfter(RULE, failures.count) - now)
  }
}
