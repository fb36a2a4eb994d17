import type { Milliseconds } from '@kerf/apis'
import type { Environment } from './environment/environment.ts'
import type { Invariant, MakeInvariant } from './invariants/invariant.ts'

export interface Violation {
  readonly invariant: string
  readonly at: Milliseconds
  readonly problem: string
}

/** A violation of an invariant. */
export interface Finding {
  readonly invariant: string
  readonly found: readonly string[]
}

/** Checks the invariants of one simulation, and keeps the first violation. */
export class InvariantChecks {
  violation: Violation | undefined
  readonly #environment: Environment
  readonly #record: (line: string) => void
  readonly #invariants: readonly Invariant[]
  /** The revision of the API server's state at the last check. */
  #revision = -1

  /** Registers the invariants as listeners of the environment. */
  constructor(environment: Environment, makers: readonly MakeInvariant[], record: (line: string) => void) {
    this.#environment = environment
    this.#record = record
    this.#invariants = makers.map((make) => {
      let name = ''
      const invariant = make(environment, (problem) => this.report(name, [problem]))
      name = invariant.name
      return invariant
    })
    environment.listeners.add(...this.#invariants)
  }

  /** Records a violation, unless the run already has one. */
  report(invariant: string, [problem]: readonly string[]): void {
    if (problem === undefined || this.violation !== undefined) return
    this.violation = { invariant, at: this.#environment.clock.monotonic(), problem }
    this.#record(`VIOLATION ${invariant}: ${problem}`)
  }

  /** Checks the rules that must always hold, if an object has changed since the last call. */
  isViolated(): boolean {
    const { revision } = this.#environment.api.state
    if (revision !== this.#revision) {
      this.#revision = revision
      for (const invariant of this.#invariants) this.report(invariant.name, invariant.always?.() ?? [])
    }
    return this.violation !== undefined
  }

  /** Returns the rules that are currently violated, among those for the end of a run or those for a quiet cluster. */
  problems(when: 'eventually' | 'quiet'): readonly Finding[] {
    return this.#invariants
      .map((invariant) => ({ invariant: invariant.name, found: invariant[when]?.() ?? [] }))
      .filter(({ found }) => found.length > 0)
  }
}
