import type { Milliseconds } from '@kerf/apis'

/**
 * Decides when a cluster has settled: quiet for `hold` without interruption. The hold bridges the moments in which one
 * controller has finished and the next has not begun, and is longer than a batching window.
 */
export class SettleWatch {
  readonly #hold: Milliseconds
  #quietSince: Milliseconds | undefined

  constructor(hold: Milliseconds) {
    this.#hold = hold
  }

  /** Takes the state of the cluster. Returns true once it has been quiet long enough. */
  look(quiet: boolean, now: Milliseconds): boolean {
    if (!quiet) {
      this.#quietSince = undefined
      return false
    }
    this.#quietSince ??= now
    return now - this.#quietSince >= this.#hold
  }
}
