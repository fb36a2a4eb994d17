import type { Pod } from '@kerf/apis'
import { trialsWithin } from '@kerf/engine'
import { sharedLongTasks, silentLogger, sleep, type Timer } from '@kerf/runtime'
import type { Deps, Scheduler } from '../deps.ts'
import { runInSteps } from '../run-in-steps.ts'
import type { Snapshots } from '../state/snapshot.ts'
import { launchablePools, poolOptions } from './launchable-pools.ts'
import { provisioningOptions } from './provisioning-options.ts'

/** The maximum number of pods in a rehearsal. A hundred pods include all common kinds of pods. */
const REHEARSED_PODS = 100
/**
 * The time limit of the search for a cheaper plan, in milliseconds. It is enough to compile the code of the search, and a full search would
 * waste time.
 */
const REHEARSED_SEARCH = 10

export interface RehearsalDeps extends Deps {
  readonly snapshots: Snapshots
  readonly schedule: Scheduler
  /** Returns the pods that are pending at this moment. */
  readonly waiting: () => readonly Pod[]
}

/**
 * Computes a decision half-way through the first batching window, and discards it without reporting anything. Without this rehearsal, the
 * first decision of a new process takes several times as long as the second one, because V8 compiles the code on its first run.
 */
export class Rehearsal {
  readonly #deps: RehearsalDeps
  #timer: Timer | undefined
  readonly #ending = new AbortController()

  constructor(deps: RehearsalDeps) {
    this.#deps = { ...deps, log: silentLogger }
  }

  /** Called on every trigger. The first call starts the timer. */
  windowBegins(): void {
    if (this.#timer !== undefined || this.#ending.signal.aborted) return
    const { clock, settings } = this.#deps
    // Ignores errors, because the real pass gets and reports the same errors.
    this.#timer = clock.timer(settings.batchIdleDuration / 2, () => void this.#rehearse().catch(() => {}))
  }

  /** Cancels the rehearsal when a real decision starts. */
  end(): void {
    this.#ending.abort()
  }

  async #rehearse(): Promise<void> {
    const { snapshots, schedule, waiting } = this.#deps
    const pods = waiting().slice(0, REHEARSED_PODS)
    if (pods.length === 0 || this.#ending.signal.aborted) return
    const { signal } = this.#ending
    const options = await poolOptions(this.#deps, launchablePools(this.#deps), signal)
    if (options.length === 0 || this.#ending.signal.aborted) return
    const own = provisioningOptions(this.#deps, pods.length)
    const planBudget = Math.min(own.planBudget ?? 0, trialsWithin(REHEARSED_SEARCH, pods.length))
    const { clock, metrics } = this.#deps
    await runInSteps(schedule(snapshots.take(options), pods, { ...own, planBudget }), {
      run: (step) => sharedLongTasks({ metrics, clock }).run('provisioner.rehearsal', step),
      giveWay: () => sleep(clock, 0, signal),
    })
  }
}
