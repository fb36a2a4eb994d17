import type { Milliseconds } from '@kerf/apis'

/**
 * Decides when a cluster has settled: when it was quiet for `hold` without interruption. The hold time covers the moments between the
 * end of one controller's work and the start of the next, and is longer than a batching window.
 */
export class SettleWatch {
  readonly #hold: Milliseconds
  #quietSince: Milliseconds | undefined

  constructor(hold: Milliseconds) {
    this.#hold = hold
  }

  /** Takes the state of the cluster. Returns true after it has been quiet long enough. */
  look(quiet: boolean, now: Milliseconds): boolean {
    if (!quiet) {
      this.#quietSince = undefined
      return false
    }
    this.#quietSince ??= now
    return now - this.#quietSince >= this.#hold
  }
}
