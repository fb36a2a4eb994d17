import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { Revision } from './collection.ts'

/** The default of kube-apiserver's `--etcd-compaction-interval`. */
const INTERVAL: Milliseconds = 5 * 60_000

/**
 * Determines when to drop history and up to which revision. Every five minutes, it drops the history up to the revision of five minutes
 * earlier, like the compaction of etcd by kube-apiserver. Each write runs the check. No timer is needed, because without writes there is no
 * history to drop.
 */
export class Compaction {
  readonly #clock: Clock
  #next: Milliseconds
  #previous: Revision

  constructor(clock: Clock, revision: Revision) {
    this.#clock = clock
    this.#next = clock.monotonic() + INTERVAL
    this.#previous = revision
  }

  /** Returns the revision up to which history should now be dropped, or `undefined` if it is too early. */
  due(newest: Revision): Revision | undefined {
    const now = this.#clock.monotonic()
    if (now < this.#next) return undefined
    const upTo = this.#previous
    this.#previous = newest
    this.#next = now + INTERVAL
    return upTo
  }
}
