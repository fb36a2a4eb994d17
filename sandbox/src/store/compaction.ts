import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { Revision } from './collection.ts'

/** kube-apiserver's `--etcd-compaction-interval` when nothing is said. */
const INTERVAL: Milliseconds = 5 * 60_000

/**
 * Says when history is to be forgotten, and up to where: every five minutes up to where it was five minutes before, as
 * kube-apiserver has etcd compacted. Asked with each write, not by a timer: without writes there is nothing to forget.
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

  /** The revision up to which history is to be forgotten now; undefined while it is not time. */
  due(newest: Revision): Revision | undefined {
    const now = this.#clock.monotonic()
    if (now < this.#next) return undefined
    const upTo = this.#previous
    this.#previous = newest
    this.#next = now + INTERVAL
    return upTo
  }
}
