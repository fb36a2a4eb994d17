import type { Milliseconds } from '../clock/clock.ts'
import type { Counter, Gauge, Histogram, Metrics } from '../metrics/metrics.ts'

/** controller-runtime's buckets for the time of one reconciliation, in seconds. */
const BUCKETS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]
const LABELS = ['controller'] as const
const ALWAYS_ZERO = {
  reconcile_timeouts_total: 'Reconciliations that ran into a deadline of their own.',
  conversion_webhook_panics_total: 'Panics of conversion webhooks.',
} as const

export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after'

/**
 * The `controller_runtime_*` series of one controller, with controller-runtime's names.
 * `docs/spec/metrics.md#framework-metrics`.
 */
export class ControllerMetrics {
  readonly #controller: string
  readonly #labels: Readonly<Record<string, string>>
  readonly #total: Counter
  readonly #errors: Counter
  readonly #terminal: Counter
  readonly #panics: Counter
  readonly #time: Histogram
  readonly #active: Gauge

  constructor(metrics: Metrics, controller: string, concurrency: number) {
    const prefix = 'controller_runtime'
    const labels = LABELS
    this.#controller = controller
    this.#labels = { controller }
    this.#total = metrics.counter({
      name: `${prefix}_reconcile_total`,
      help: 'Reconciliations by controller and result.',
      labels: ['controller', 'result'],
    })
    this.#errors = metrics.counter({
      name: `${prefix}_reconcile_errors_total`,
      help: 'Failed reconciliations.',
      labels,
    })
    this.#terminal = metrics.counter({
      name: `${prefix}_terminal_reconcile_errors_total`,
      help: 'Failed reconciliations that are not tried again.',
      labels,
    })
    this.#panics = metrics.counter({
      name: `${prefix}_reconcile_panics_total`,
      help: 'Reconciliations that threw something other than an error.',
      labels,
    })
    this.#time = metrics.histogram({
      name: `${prefix}_reconcile_time_seconds`,
      help: 'How long a reconciliation takes.',
      labels,
      buckets: BUCKETS,
    })
    this.#active = metrics.gauge({ name: `${prefix}_active_workers`, help: 'Keys in work.', labels })
    const most = metrics.gauge({
      name: `${prefix}_max_concurrent_reconciles`,
      help: 'How many keys may be in work at once.',
      labels,
    })
    most.set(concurrency, this.#labels)
    this.#active.set(0, this.#labels)
    // Dashboards ask for these two. Kerf’s reconcilers have no deadline of their own, and it serves no conversion.
    for (const [name, help] of Object.entries(ALWAYS_ZERO)) {
      metrics.counter({ name: `${prefix}_${name}`, help, labels }).inc(this.#labels, 0)
    }
    // Series that exist from the start let a rate over the first failure be computed.
    this.#errors.inc(this.#labels, 0)
    this.#terminal.inc(this.#labels, 0)
    this.#panics.inc(this.#labels, 0)
    for (const result of ['success', 'error', 'requeue', 'requeue_after']) this.#total.inc({ controller, result }, 0)
  }

  working(count: number): void {
    this.#active.set(count, this.#labels)
  }

  ended(result: ReconcileResult, duration: Milliseconds): void {
    this.#total.inc({ controller: this.#controller, result })
    this.#time.observe(duration / 1000, this.#labels)
    if (result === 'error') this.#errors.inc(this.#labels)
  }

  terminal(): void {
    this.#terminal.inc(this.#labels)
  }

  panicked(): void {
    this.#panics.inc(this.#labels)
  }
}
