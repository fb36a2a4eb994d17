/** Whether the latest launches of a NodePool succeeded. */
export type RegistrationStatus = 'unknown' | 'healthy' | 'unhealthy'

const KEPT = 4
const UNHEALTHY_SHARE = 0.5

const registrationStatus = (outcomes: readonly boolean[]): RegistrationStatus => {
  if (outcomes.length === 0) return 'unknown'
  const failures = outcomes.filter((succeeded) => !succeeded).length
  return failures / KEPT >= UNHEALTHY_SHARE ? 'unhealthy' : 'healthy'
}

/**
 * Stores the outcomes of the last four launches of each NodePool, by UID and only in memory. If two of them are failures, the pool is
 * unhealthy, even if there are fewer than four outcomes (`docs/spec/lifecycle.md#nodepool-controllers`).
 */
export class RegistrationOutcomes {
  readonly #rings = new Map<string, readonly boolean[]>()

  record(poolUid: string, succeeded: boolean): void {
    this.#rings.set(poolUid, this.#with(poolUid, succeeded))
  }

  status(poolUid: string): RegistrationStatus {
    return registrationStatus(this.#rings.get(poolUid) ?? [])
  }

  /** Returns the status that the pool would have after one more outcome. Does not record the outcome. */
  statusAfter(poolUid: string, succeeded: boolean): RegistrationStatus {
    return registrationStatus(this.#with(poolUid, succeeded))
  }

  /**
   * Replaces the outcomes with outcomes that lead to this status. Used after a restart, when the status comes from the pool's condition.
   */
  seed(poolUid: string, status: 'healthy' | 'unhealthy'): void {
    this.#rings.set(poolUid, status === 'healthy' ? [true] : [false, false])
  }

  /** Removes the outcomes of a pool. The pool may already be deleted. */
  reset(poolUid: string): void {
    this.#rings.delete(poolUid)
  }

  #with(poolUid: string, succeeded: boolean): readonly boolean[] {
    return [...(this.#rings.get(poolUid) ?? []), succeeded].slice(-KEPT)
  }
}
