import type { Milliseconds } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import { sleep } from '../clock/clock.ts'
import { TurnBudget } from '../event-loop/turn-budget.ts'
import type { Controller } from '../reconciler.ts'
import { ControllerRunner, type RunnerEnvironment } from './controller-runner.ts'

export interface ControllerManagerOptions extends RunnerEnvironment {
  /** How long reconciliations may continue after the stop. Default 30 s (`docs/spec/process.md#leader-probes-servers`). */
  readonly drainFor?: Milliseconds
}

export interface RunSignals {
  /** When aborted, controllers start no more reconciliations. Running ones may finish. */
  readonly stop: AbortSignal
  /** When aborted, everything ends at once, because the lease is lost and another process may act. */
  readonly abandon?: AbortSignal
}

/**
 * While controllers start, they receive about this many objects before other work runs. The objects of one controller are never split.
 */
const OBJECTS_PER_TURN = 5_000

/** How often to log that a controller still waits for its resource kinds to be listed. */
const SYNC_REMINDER: Milliseconds = 30_000

/** Runs a set of controllers, from the time when their resource kinds are listed to the end of their last reconciliations. */
export class ControllerManager {
  readonly #options: ControllerManagerOptions
  readonly #runners: ControllerRunner[] = []
  readonly #turn: TurnBudget
  #ran = false
  #starting: Promise<void> = Promise.resolve()
  /** How many objects have been delivered to the controllers without a pause. It becomes 0 when other work of the process runs. */
  #delivered = 0

  constructor(options: ControllerManagerOptions) {
    this.#options = options
    this.#turn = new TurnBudget(options.clock)
  }

  /** Registers controllers. All must be registered before `run`. */
  add(...controllers: readonly Controller[]): void {
    if (this.#ran) throw new InvariantError('controllers must be added before the manager runs')
    for (const controller of controllers) {
      if (this.#runners.some((runner) => runner.controller.name === controller.name)) {
        throw new InvariantError(`there are two controllers named ${controller.name}`)
      }
      this.#runners.push(new ControllerRunner(controller, this.#options, this.#turn))
    }
  }

  get controllers(): readonly string[] {
    return this.#runners.map((runner) => runner.controller.name)
  }

  /** Whether any key is in progress or ready. Keys that wait for their retry time do not count. */
  get busy(): boolean {
    return this.#runners.some((runner) => runner.busy)
  }

  /**
   * Starts each controller when its sources are listed. Resolves after the stop, when the running reconciliations have ended or `drainFor`
   * has passed. Does not throw errors of controllers.
   */
  async run({ stop, abandon }: RunSignals): Promise<void> {
    if (this.#ran) throw new InvariantError('a manager runs once')
    this.#ran = true
    const work = new AbortController()
    const onAbandon = (): void => work.abort(abandon?.reason)
    if (abandon?.aborted) onAbandon()
    abandon?.addEventListener('abort', onAbandon, { once: true })
    const halt = abandon === undefined ? stop : AbortSignal.any([stop, abandon])
    const halted = new Promise<void>((resolve) => {
      if (halt.aborted) resolve()
      else halt.addEventListener('abort', () => resolve(), { once: true })
    })
    const starting = this.#runners.map((runner) => this.#start(runner, halt, work.signal))
    await halted
    await Promise.all(starting)
    for (const runner of this.#runners) runner.stop()
    await this.#drain(work)
    abandon?.removeEventListener('abort', onAbandon)
  }

  async #start(runner: ControllerRunner, halt: AbortSignal, work: AbortSignal): Promise<void> {
    if (halt.aborted) return
    const { clock, logger } = this.#options
    const name = runner.controller.name
    let reminder = clock.timer(SYNC_REMINDER, function remind() {
      logger.warn('controller waits for its first lists', { controller: name })
      reminder = clock.timer(SYNC_REMINDER, remind)
    })
    try {
      await runner.synced(halt)
      // Controllers start one after the other, because each receives all existing objects, and most keys become ready at once.
      this.#starting = this.#starting.then(() => this.#startNext(runner, halt, work))
      await this.#starting
    } catch (error) {
      if (!halt.aborted) logger.error('controller could not start', { controller: name, error })
    } finally {
      reminder.cancel()
    }
  }

  async #startNext(runner: ControllerRunner, halt: AbortSignal, work: AbortSignal): Promise<void> {
    if (this.#delivered >= OBJECTS_PER_TURN) {
      this.#delivered = 0
      await sleep(this.#options.clock, 0, halt).catch(() => {})
    }
    if (halt.aborted) return
    runner.start(work)
    for (const { informer } of runner.controller.sources) this.#delivered += informer.size
  }

  async #drain(work: AbortController): Promise<void> {
    const { clock, logger, drainFor = 30_000 } = this.#options
    const drained = new AbortController()
    const idle = Promise.all(this.#runners.map((runner) => runner.idle())).then(() => drained.abort())
    const tooLong = sleep(clock, drainFor, AbortSignal.any([drained.signal, work.signal])).then(
      () => {
        const names = this.#runners.filter((runner) => runner.busy).map((runner) => runner.controller.name)
        logger.warn('stopping with unfinished work', { controllers: names })
        work.abort(new Error('shutting down'))
      },
      () => {},
    )
    await Promise.race([idle, tooLong])
  }
}
