import type { Milliseconds } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { textOfThrown } from '../errors/text-of-thrown.ts'
import { isWaiting } from '../errors/waiting-error.ts'
import { sharedLongTasks } from '../event-loop/long-tasks.ts'
import type { TurnBudget } from '../event-loop/turn-budget.ts'
import { parseKey } from '../informers/key-of.ts'
import type { Key } from '../key.ts'
import { isConflict, isNotFound } from '../kube-client/api-error.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { WorkQueue } from '../queue/work-queue.ts'
import type { Random } from '../random/random.ts'
import { type Controller, done, type Outcome } from '../reconciler.ts'
import { traced } from '../tracing.ts'
import { ControllerMetrics } from './controller-metrics.ts'

export interface RunnerEnvironment {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Wraps a thrown value that is not an Error. It is a bug if a reconciler throws such a value. */
class Panic extends Error {}

const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Panic(`threw ${typeof thrown} ${textOfThrown(thrown)} instead of an error`)

/** Processes the queue of one controller, with its concurrency, until it is stopped. */
export class ControllerRunner {
  readonly controller: Controller
  readonly #environment: RunnerEnvironment
  readonly #queue: WorkQueue
  readonly #metrics: ControllerMetrics
  readonly #logger: Logger
  readonly #turn: TurnBudget
  readonly #tasks
  readonly #idle: (() => void)[] = []
  /** The keys whose last attempt ended with a `WaitingError`. */
  readonly #waiting = new Set<Key>()
  #unsubscribe: (() => void)[] = []
  #signal: AbortSignal | undefined
  #active = 0

  /** All controllers share the same `turn`. */
  constructor(controller: Controller, environment: RunnerEnvironment, turn: TurnBudget) {
    this.controller = controller
    this.#environment = environment
    this.#turn = turn
    this.#tasks = sharedLongTasks(environment)
    this.#logger = environment.logger.child(controller.name, { controller: controller.name })
    this.#metrics = new ControllerMetrics(environment.metrics, controller.name, controller.concurrency)
    this.#queue = new WorkQueue({
      name: controller.name,
      clock: environment.clock,
      metrics: environment.metrics,
      ...(controller.backoff && { backoff: controller.backoff }),
      ...(controller.rate && { rate: controller.rate }),
      onReady: () => this.#pump(),
    })
  }

  /** Whether any key is in progress or ready. Keys that wait for their retry time do not count. */
  get busy(): boolean {
    return this.#active > 0 || this.#queue.depth > 0
  }

  /** Resolves when the kinds of the controller's sources are listed. */
  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.controller.sources.map((source) => source.informer.synced(signal)))
  }

  /** Subscribes to the controller's sources, and starts to reconcile. Every reconciliation receives `signal`. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) throw new InvariantError(`controller ${this.controller.name} runs already`)
    this.#signal = signal
    for (const source of this.controller.sources) {
      this.#unsubscribe.push(
        source.informer.onChange((change) => {
          for (const key of source.keysOf(change)) this.#queue.add(key)
        }),
      )
    }
    const subscribed = this.controller.subscribe?.((key) => this.#queue.add(key))
    if (subscribed !== undefined) this.#unsubscribe.push(subscribed)
    if (this.controller.singleton === true) this.#queue.add('')
    this.#pump()
  }

  /** Stops taking keys. */
  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#unsubscribe = []
    this.#queue.close()
  }

  /** Resolves when this controller reconciles no key. */
  idle(): Promise<void> {
    return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  readonly #pump = (): void => {
    const signal = this.#signal
    if (signal === undefined) return
    while (this.#active < this.controller.concurrency && this.#queue.depth > 0) {
      if (!this.#turn.take(this.#pump)) return
      const key = this.#queue.take()
      if (key === undefined) return
      this.#active++
      this.#metrics.working(this.#active)
      // An error outside of the reconciliation itself must not end the process or block other keys.
      this.#work(key, signal).catch((error: unknown) => this.#logger.error('Reconciler error', { error }))
    }
  }

  async #work(key: Key, signal: AbortSignal): Promise<void> {
    const { clock } = this.#environment
    const began = clock.monotonic()
    try {
      const outcome = await traced(this.controller.name, { key }, () => this.#begin(key, signal))
      this.#settle(key, outcome, clock.monotonic() - began)
    } catch (thrown) {
      this.#fail(key, thrown, clock.monotonic() - began, signal)
    } finally {
      this.#queue.done(key)
      this.#active--
      this.#metrics.working(this.#active)
      if (this.#active === 0) for (const resolve of this.#idle.splice(0)) resolve()
      this.#pump()
    }
  }

  /** Runs the reconciliation up to its first `await`. */
  #begin(key: Key, signal: AbortSignal): Promise<Outcome> {
    const { clock } = this.#environment
    const began = clock.monotonic()
    try {
      return this.#tasks.run(this.controller.name, () => this.controller.reconcile(key, signal))
    } finally {
      this.#turn.spend(clock.monotonic() - began)
    }
  }

  #settle(key: Key, outcome: Outcome, duration: Milliseconds): void {
    this.#waiting.delete(key)
    switch (outcome.kind) {
      case 'done':
        this.#queue.forget(key)
        this.#metrics.ended('success', duration)
        return
      case 'retry-after':
        // A retry time that is not a number would cause a loop without a pause.
        if (Number.isNaN(outcome.after)) throw new RangeError('retry-after is not a number')
        this.#queue.forget(key)
        this.#queue.addAfter(key, outcome.after)
        this.#metrics.ended('requeue_after', duration)
        return
      case 'retry':
        this.#queue.addLimited(key)
        this.#metrics.ended('requeue', duration)
        return
      case 'terminal':
        this.#queue.forget(key)
        this.#metrics.ended('error', duration)
        this.#metrics.terminal()
        this.#report(key, outcome.error)
        return
      default:
        outcome satisfies never
    }
  }

  #fail(key: Key, thrown: unknown, duration: Milliseconds, signal: AbortSignal): void {
    // An error after an abort is not a failure.
    if (signal.aborted) return
    const error = errorOf(thrown)
    if (this.#isGone(key, error)) {
      this.#logger.debug('object was deleted', { ...parseKey(key) })
      this.#settle(key, done(), duration)
      return
    }
    this.#queue.addLimited(key)
    if (isWaiting(error)) {
      this.#metrics.ended('requeue', duration)
      this.#waits(key, error)
      return
    }
    this.#metrics.ended('error', duration)
    if (error instanceof Panic) this.#metrics.panicked()
    this.#report(key, error)
  }

  /** Logs that an attempt must wait, but only for the first of several consecutive ones. */
  #waits(key: Key, error: Error): void {
    const fields = { ...(key === '' ? {} : parseKey(key)), error }
    if (this.#waiting.has(key)) this.#logger.debug('still waiting', fields)
    else this.#logger.info('waiting, retrying until it is known', fields)
    this.#waiting.add(key)
  }

  /**
   * Returns whether the error means that the object with this key does not exist. An error about another object, or about a missing kind,
   * does not count.
   */
  #isGone(key: Key, error: Error): boolean {
    const kind = this.controller.reconciles
    if (kind === undefined || !isNotFound(error)) return false
    const { details } = error
    return details.name === parseKey(key).name && details.kind === kind.plural && (details.group ?? '') === kind.group
  }

  #report(key: Key, error: Error): void {
    const object = key === '' ? {} : parseKey(key)
    const fields = { ...object, reconcileID: this.#environment.random.uuid(), error }
    // Another client has changed the object. The next attempt reads the newer version.
    if (isConflict(error)) this.#logger.debug('object was modified, retrying', fields)
    else this.#logger.error('Reconciler error', fields)
  }
}
