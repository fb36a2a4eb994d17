import type { Pod } from '@kerf/apis'
import { workOf } from '@kerf/engine'
import { longTasksOf, silentLogger, sleep, type Timer } from '@kerf/runtime'
import type { Deps, Scheduler } from '../deps.ts'
import { inTurns } from '../in-turns.ts'
import type { Snapshots } from '../state/snapshot.ts'
import { launchablePools, poolOptions } from './launchable-pools.ts'
import { provisioningOptions } from './provisioning-options.ts'

/** Enough for all kinds of them that are met often. */
const REHEARSED_PODS = 100
/** Milliseconds of the search for a cheaper plan: enough to compile it. The rest of a decision's budget would be spent for nothing. */
const REHEARSED_SEARCH = 10

export interface RehearsalParts {
  readonly snapshots: Snapshots
  readonly schedule: Scheduler
  /** The pods that wait now. */
  readonly waiting: () => readonly Pod[]
}

/**
 * A decision that is tried half-way through the first batching window, of which nothing comes and nothing is said. In a new
 * process the first decision takes several times as long as the second, since its code is compiled as it runs.
 */
export class Rehearsal {
  readonly #deps: Deps
  readonly #parts: RehearsalParts
  #timer: Timer | undefined
  readonly #ending = new AbortController()

  constructor(deps: Deps, parts: RehearsalParts) {
    this.#deps = { ...deps, log: silentLogger }
    this.#parts = parts
  }

  /** A window may have begun. */
  windowBegins(): void {
    if (this.#timer !== undefined || this.#ending.signal.aborted) return
    const { clock, settings } = this.#deps
    // What is wrong the pass finds too, and says.
    this.#timer = clock.timer(settings.batchIdleDuration / 2, () => void this.#rehearse().catch(() => {}))
  }

  /** A real decision is taken: there is nothing left to rehearse. */
  end(): void {
    this.#ending.abort()
  }

  async #rehearse(): Promise<void> {
    const { snapshots, schedule, waiting } = this.#parts
    const pods = waiting().slice(0, REHEARSED_PODS)
    if (pods.length === 0 || this.#ending.signal.aborted) return
    const { signal } = this.#ending
    const options = await poolOptions(this.#deps, launchablePools(this.#deps), signal)
    if (options.length === 0 || this.#ending.signal.aborted) return
    const own = provisioningOptions(this.#deps, pods.length)
    const planBudget = Math.min(own.planBudget ?? 0, workOf(REHEARSED_SEARCH, pods.length))
    const { clock, metrics } = this.#deps
    await inTurns(schedule(snapshots.take(options), pods, { ...own, planBudget }), {
      run: (step) => longTasksOf({ metrics, clock }).run('provisioner.rehearsal', step),
      giveWay: () => sleep(clock, 0, signal),
    })
  }
}
