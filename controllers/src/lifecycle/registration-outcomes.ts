/** What the latest launches of a NodePool say about it. */
export type RegistrationStatus = 'unknown' | 'healthy' | 'unhealthy'

const KEPT = 4
const UNHEALTHY_SHARE = 0.5

const statusOf = (outcomes: readonly boolean[]): RegistrationStatus => {
  if (outcomes.length === 0) return 'unknown'
  const failures = outcomes.filter((succeeded) => !succeeded).length
  return failures / KEPT >= UNHEALTHY_SHARE ? 'unhealthy' : 'healthy'
}

/**
 * The last four outcomes of launches per NodePool (by uid), in memory: two failures among them, however few there are,
 * make a pool unhealthy (`docs/spec/lifecycle.md#nodepool-controllers`).
 */
export class RegistrationOutcomes {
  readonly #rings = new Map<string, readonly boolean[]>()

  record(poolUid: string, succeeded: boolean): void {
    this.#rings.set(poolUid, this.#with(poolUid, succeeded))
  }

  status(poolUid: string): RegistrationStatus {
    return statusOf(this.#rings.get(poolUid) ?? [])
  }

  /** The status after one more outcome, without recording it. */
  statusAfter(poolUid: string, succeeded: boolean): RegistrationStatus {
    return statusOf(this.#with(poolUid, succeeded))
  }

  /** Starts over with what the pool's condition said before a restart. */
  seed(poolUid: string, status: 'healthy' | 'unhealthy'): void {
    this.#rings.set(poolUid, status === 'healthy' ? [true] : [false, false])
  }

  /** Empties the ring, also for a pool that is gone. */
  reset(poolUid: string): void {
    this.#rings.delete(poolUid)
  }

  #with(poolUid: string, succeeded: boolean): readonly boolean[] {
    return [...(this.#rings.get(poolUid) ?? []), succeeded].slice(-KEPT)
  }
}
