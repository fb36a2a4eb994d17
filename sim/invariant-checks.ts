import type { Milliseconds } from '@kerf/apis'
import type { Environment } from './environment/environment.ts'
import type { Invariant, MakeInvariant } from './invariants/invariant.ts'

export interface Violation {
  readonly invariant: string
  readonly at: Milliseconds
  readonly problem: string
}

/** What an invariant finds. */
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
  /** The last revision of the API server's state that was checked. */
  #revision = -1

  /** The invariants listen to the environment from now on. */
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

  /** The first problem that is ever reported is the violation. */
  report(invariant: string, [problem]: readonly string[]): void {
    if (problem === undefined || this.violation !== undefined) return
    this.violation = { invariant, at: this.#environment.clock.monotonic(), problem }
    this.#record(`VIOLATION ${invariant}: ${problem}`)
  }

  /** Checks what must always hold if an object has changed since the last call. */
  isViolated(): boolean {
    const { revision } = this.#environment.api.state
    if (revision !== this.#revision) {
      this.#revision = revision
      for (const invariant of this.#invariants) this.report(invariant.name, invariant.always?.() ?? [])
    }
    return this.violation !== undefined
  }

  /** What does not hold now of what must hold in the end, or while the cluster is quiet. */
  problems(when: 'eventually' | 'quiet'): readonly Finding[] {
    return this.#invariants
      .map((invariant) => ({ invariant: invariant.name, found: invariant[when]?.() ?? [] }))
      .filter(({ found }) => found.length > 0)
  }
}
