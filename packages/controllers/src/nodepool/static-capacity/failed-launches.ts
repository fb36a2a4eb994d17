import type { Milliseconds } from '@kerf/apis'
import { type BackoffRule, backoffAfter } from '@kerf/runtime'

/** The back-off. Its maximum equals the time for which Kerf does not use an offering that has no capacity. */
const RULE: BackoffRule = { base: 5_000, max: 180_000 }

interface Failures {
  readonly count: number
  readonly at: Milliseconds
}

/**
 * Delays the launches of static pools whose claims are deleted before they become nodes. If a claim finds no capacity, Kerf deletes it at
 * once, and the deletion triggers the creation of the next claim. Without a delay, this loop would run as fast as the API server responds.
 */
export class FailedLaunches {
  readonly #pools = new Map<string, Failures>()

  /** Records that a claim of the pool was deleted before its instance was launched. */
  note(pool: string, now: Milliseconds): void {
    const before = this.#pools.get(pool)
    // If the claims of one pass fail together, they count as one failure.
    if (before !== undefined && now - before.at < RULE.base) return
    this.#pools.set(pool, { count: (before?.count ?? 0) + 1, at: now })
  }

  /** Ends the delay of a pool after a claim was launched or a user changed the replicas. */
  clear(pool: string): void {
    this.#pools.delete(pool)
  }

  /** Returns how long the next claims of the pool should wait. */
  wait(pool: string, now: Milliseconds): Milliseconds {
    const failures = this.#pools.get(pool)
    return failures === undefined ? 0 : Math.max(0, failures.at + backoffAfter(RULE, failures.count) - now)
  }
}
