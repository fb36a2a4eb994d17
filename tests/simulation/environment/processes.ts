import type { Milliseconds } from '@kerf/apis'
import type { Clock, RecordedEvent, SeededRandom } from '@kerf/runtime'
import { KerfProcess, type ProcessHost } from './kerf-process.ts'
import { Periods } from './periods.ts'
import { programmingErrorsIn } from './programming-errors.ts'

const DOWNTIME: Milliseconds = 2_000
/** How long a process may keep working after it was asked to stop. */
const STOPPING: Milliseconds = 30_000
/** How long one Kerf process may need to see the other's actions, because watches lag. */
const AFTER_AN_OVERLAP: Milliseconds = 60_000

export interface ProcessesDeps {
  readonly host: ProcessHost
  readonly clock: Clock
  readonly random: SeededRandom
  /** The number of replicas. A single replica needs no leader election. */
  readonly replicas: 1 | 2
  /** The periods in which a process had a wrong clock. */
  readonly clockSkews: Periods
}

/** All Kerf processes of a run: the replicas, and additional processes that a fault starts. */
export class Processes {
  /** The replicas. One of them is the leader. */
  readonly replicas = new Set<KerfProcess>()
  /** The periods in which two Kerf processes were active at once. Numeric limits do not apply to actions that started in such a period. */
  readonly overlaps: Periods
  restarts = 0
  readonly #deps: ProcessesDeps
  /** Processes that a fault started in addition to the replicas. */
  readonly #extra = new Set<KerfProcess>()
  readonly #all: KerfProcess[] = []
  /** The number of processes that were asked to stop and may still work. */
  #stopping = 0

  constructor(deps: ProcessesDeps) {
    this.#deps = deps
    this.overlaps = new Periods(deps.clock, AFTER_AN_OVERLAP)
    while (this.replicas.size < deps.replicas) this.replicas.add(this.#create())
  }

  start(): void {
    for (const process of this.replicas) this.#run(process)
  }

  stop(): void {
    for (const process of [...this.replicas, ...this.#extra]) process.kill()
  }

  /** Returns the active process. If none is active, returns one of the replicas. */
  get leader(): KerfProcess {
    const all = [...this.replicas]
    const leader = all.find(({ leads }) => leads) ?? all.find(({ isDead }) => !isDead) ?? all[0]
    if (leader === undefined) throw new Error('there is always a replica')
    return leader
  }

  /** Returns the Events that all processes have published. */
  events(): readonly RecordedEvent[] {
    return this.#all.flatMap(({ events }) => events.events)
  }

  /** Returns the programming errors that any process has logged. */
  programmingErrors(): readonly Error[] {
    return this.#all.flatMap(({ log }) => programmingErrorsIn(log))
  }

  /** Kills the leader. Another process replaces it after a downtime. */
  crashLeader(): void {
    const process = this.leader
    process.kill()
    this.#crashed(process)
  }

  /**
   * Stops the leader gracefully and starts its replacement. Without a Lease, the new process starts while the old one may still be working.
   */
  handOver(): void {
    const former = this.leader
    former.stop()
    if (this.#deps.replicas > 1) return
    const { clock } = this.#deps
    const end = this.overlaps.begin()
    this.#stopping++
    clock.timer(DOWNTIME, () => {
      this.#replace(former)
      clock.timer(STOPPING, () => {
        this.#stopping--
        former.kill()
        end()
      })
    })
  }

  /** Runs one more process for a while. It acts even if it does not hold the Lease. */
  startExtra(duration: Milliseconds): void {
    const end = this.overlaps.begin()
    const process = this.#create()
    this.#extra.add(process)
    process.run()
    this.#deps.clock.timer(duration, () => {
      this.#extra.delete(process)
      process.kill()
      end()
    })
  }

  #crashed(process: KerfProcess): void {
    if (this.#extra.delete(process)) return
    this.#deps.clock.timer(DOWNTIME, () => this.#replace(process))
  }

  #run(process: KerfProcess): void {
    if (this.#deps.replicas === 1) {
      process.run()
      return
    }
    void process.runElected().then(() => {
      if (process.isDead) return
      process.kill()
      this.#crashed(process)
    })
  }

  #replace(former: KerfProcess): void {
    if (!this.replicas.delete(former)) return
    this.restarts++
    const process = this.#create()
    this.replicas.add(process)
    this.#run(process)
  }

  #create(): KerfProcess {
    const { host, random, clockSkews } = this.#deps
    const process = new KerfProcess(host, {
      random: random.fork(`process-${this.#all.length}`),
      crashed: (crashed) => this.#crashed(crashed),
      hasConflictingClocks: () => clockSkews.any && (this.#extra.size > 0 || this.#stopping > 0),
    })
    this.#all.push(process)
    return process
  }
}
