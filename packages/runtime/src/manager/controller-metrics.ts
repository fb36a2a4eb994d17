import type { Milliseconds } from '@kerf/apis'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { LabelValues, Metrics } from '../metrics/metrics.ts'

/** controller-runtime's buckets for the duration of a reconciliation, in seconds. */
const BUCKETS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]
const labels = ['controller'] as const

export const controllerMetrics = defineMetrics({
  total: {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    help: 'Reconciliations by controller and result.',
    labels: ['controller', 'result'],
  },
  errors: {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    help: 'Failed reconciliations.',
    labels,
  },
  terminal: {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    type: 'counter',
    help: 'Failed reconciliations that are not retried.',
    labels,
  },
  panics: {
    name: 'controller_runtime_reconcile_panics_total',
    type: 'counter',
    help: 'Reconciliations that threw something other than an error.',
    labels,
  },
  time: {
    name: 'controller_runtime_reconcile_time_seconds',
    type: 'histogram',
    help: 'How long a reconciliation takes.',
    labels,
    buckets: BUCKETS,
  },
  active: { name: 'controller_runtime_active_workers', type: 'gauge', help: 'Keys being reconciled.', labels },
  most: {
    name: 'controller_runtime_max_concurrent_reconciles',
    type: 'gauge',
    help: 'Maximum number of keys reconciled concurrently.',
    labels,
  },
  timeouts: {
    name: 'controller_runtime_reconcile_timeouts_total',
    type: 'counter',
    help: 'Always 0: reconciliations have no deadline.',
    labels,
  },
  webhookPanics: {
    name: 'controller_runtime_conversion_webhook_panics_total',
    type: 'counter',
    help: 'Always 0: Kerf serves no conversion webhooks.',
    labels,
  },
})

export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after'

/**
 * The `controller_runtime_*` metrics of one controller, with the names of controller-runtime
 * (`docs/spec/metrics.md#framework-metrics`).
 */
export class ControllerMetrics {
  readonly #controller: string
  readonly #labels: LabelValues<(typeof labels)[number]>
  readonly #metrics

  constructor(metrics: Metrics, controller: string, concurrency: number) {
    this.#controller = controller
    this.#labels = { controller }
    this.#metrics = controllerMetrics.register(metrics)
    const { active, errors, most, panics, terminal, timeouts, total, webhookPanics } = this.#metrics
    most.set(concurrency, this.#labels)
    active.set(0, this.#labels)
    // Kerf never increases these two counters, but dashboards expect them.
    timeouts.inc(this.#labels, 0)
    webhookPanics.inc(this.#labels, 0)
    // With an initial value, `rate()` includes the first failure.
    errors.inc(this.#labels, 0)
    terminal.inc(this.#labels, 0)
    panics.inc(this.#labels, 0)
    for (const result of ['success', 'error', 'requeue', 'requeue_after']) total.inc({ controller, result }, 0)
  }

  working(count: number): void {
    this.#metrics.active.set(count, this.#labels)
  }

  ended(result: ReconcileResult, duration: Milliseconds): void {
    this.#metrics.total.inc({ controller: this.#controller, result })
    this.#metrics.time.observe(duration / 1000, this.#labels)
    if (result === 'error') this.#metrics.errors.inc(this.#labels)
  }

  terminal(): void {
    this.#metrics.terminal.inc(this.#labels)
  }

  panicked(): void {
    this.#metrics.panics.inc(this.#labels)
  }
}
