/** How registration went for the last nodes of a pool. */
export type RegistrationHealth = 'unknown' | 'healthy' | 'unhealthy'
export type RegistrationOutcome = 'success' | 'failure'

/** Outcomes that are remembered, and the share of failures among so many that is too much. */
const REMEMBERED = 4
const TOO_MANY = 0.5

const healthOf = (outcomes: readonly RegistrationOutcome[]): RegistrationHealth => {
  if (outcomes.length === 0) return 'unknown'
  const failures = outcomes.filter((outcome) => outcome === 'failure').length
  // Always of all places: one failure of one does not condemn a pool.
  return failures / REMEMBERED >= TOO_MANY ? 'unhealthy' : 'healthy'
}

const add = (outcomes: readonly RegistrationOutcome[], outcome: RegistrationOutcome): readonly RegistrationOutcome[] =>
  [...outcomes, outcome].slice(-REMEMBERED)

/** The last four registrations of each NodePool, by its uid (`spec/disruption-and-lifecycle.md` 1.9). */
export class RegistrationTracker {
  readonly #outcomes = new Map<string, readonly RegistrationOutcome[]>()

  health(poolUid: string): RegistrationHealth {
    return healthOf(this.#outcomes.get(poolUid) ?? [])
  }

  /** What the health would be with one more outcome. */
  healthWith(poolUid: string, outcome: RegistrationOutcome): RegistrationHealth {
    return healthOf(add(this.#outcomes.get(poolUid) ?? [], outcome))
  }

  record(poolUid: string, outcome: RegistrationOutcome): void {
    this.#outcomes.set(poolUid, add(this.#outcomes.get(poolUid) ?? [], outcome))
  }

  /** After a restart: what the pool's condition says stands for what was seen before. */
  seed(poolUid: string, health: 'healthy' | 'unhealthy'): void {
    this.#outcomes.set(poolUid, health === 'healthy' ? ['success'] : ['failure', 'failure'])
  }

  reset(poolUid: string): void {
    this.#outcomes.delete(poolUid)
  }
}
