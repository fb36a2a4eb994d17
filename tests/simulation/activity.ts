import type { ApiCall, CloudCall } from '@kerf/sandbox'
import type { Environment } from './environment/environment.ts'
import type { Listener } from './environment/listener.ts'
import type { InvariantChecks } from './invariant-checks.ts'

/** If Kerf makes more calls than this at the same virtual time, the simulation reports an endless loop. */
const MOST_CALLS = 20_000

/** Counts Kerf's actions and writes them to the trace. */
export class Activity implements Listener {
  claims = 0
  readonly causes: Record<string, number> = {}
  readonly #environment: Environment
  readonly #checks: InvariantChecks
  readonly #record: (line: string) => void
  #now = { at: -1, calls: 0 }

  constructor(environment: Environment, checks: InvariantChecks, record: (line: string) => void) {
    this.#environment = environment
    this.#checks = checks
    this.#record = record
  }

  acted(call: ApiCall): void {
    this.#stopEndlessLoop(call)
    const { verb, kind, ref, subresource } = call
    if (verb === 'create' && kind?.kind === 'NodeClaim') this.claims++
    if (verb !== 'get' && verb !== 'list' && verb !== 'watch' && kind?.kind !== 'Event')
      this.#record(
        `kerf ${verb} ${kind?.kind} ${ref?.name ?? ''}${subresource === undefined ? '' : ` (${subresource})`}`,
      )
  }

  remarked(line: string, topic: string): void {
    this.causes[topic] = (this.causes[topic] ?? 0) + 1
    this.#record(line)
  }

  cloudCall({ verb, subject }: CloudCall): void {
    if (verb === 'run' || verb === 'terminate') this.#record(`cloud ${verb} ${subject}`)
  }

  /** Detects a loop that never waits. Such a loop would keep the virtual clock from advancing. */
  #stopEndlessLoop({ verb, kind, ref }: ApiCall): void {
    const at = this.#environment.clock.monotonic()
    if (at !== this.#now.at) this.#now = { at, calls: 0 }
    if (++this.#now.calls <= MOST_CALLS) return
    this.#checks.report('no-endless-loop', [
      `${MOST_CALLS} calls without time passing, the last: ${verb} ${kind?.kind} ${ref?.name ?? ''}`,
    ])
    this.#environment.stop()
  }
}
