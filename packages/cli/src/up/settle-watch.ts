import type { Milliseconds } from '@kerf/apis'

/**
 * Decides when a cluster has settled: when it has been quiet for `hold` without interruption. The hold time must be longer than a
 * batching window, and long enough to bridge the pause between the work of one controller and the next.
 */
export class SettleWatch {
  readonly #hold: Milliseconds
  #quietSince: Milliseconds | undefined

  constructor(hold: Milliseconds) {
    this.#hold = hold
  }

  /** Receives whether the cluster is quiet. Returns true if it has been quiet for the hold time. */
  look(quiet: boolean, now: Milliseconds): boolean {
    if (!quiet) {
      this.#quietSince = undefined
      return false
    }
    this.#quietSince ??= now
    return now - this.#quietSince >= this.#hold
  }
}
