import type { Milliseconds } from '@kerf/apis'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { LabelValues, Metrics } from '../metrics/metrics.ts'

/** From 10 ns to 1000 s in powers of ten, as in client-go. */
const BUCKETS: readonly number[] = Array.from({ length: 12 }, (_, exponent) => Number(`1e${exponent - 8}`))
const labels = ['name', 'controller'] as const

export const queueMetrics = defineMetrics({
  depth: { name: 'workqueue_depth', type: 'gauge', help: 'Keys that wait in the queue.', labels },
  adds: { name: 'workqueue_adds_total', type: 'counter', help: 'Keys put into the queue.', labels },
  retries: { name: 'workqueue_retries_total', type: 'counter', help: 'Keys requeued with back-off.', labels },
  queued: {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    help: 'How long a key waits in the queue before work on it starts.',
    labels,
    buckets: BUCKETS,
  },
  worked: {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    help: 'How long the work on a key takes.',
    labels,
    buckets: BUCKETS,
  },
  unfinished: {
    name: 'workqueue_unfinished_work_seconds',
    type: 'gauge',
    help: 'Total time spent so far on keys being reconciled; steady growth indicates stuck work.',
    labels,
  },
  longest: {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    help: 'Time spent so far on the key that has been reconciled for the longest time.',
    labels,
  },
})

/** The `workqueue_*` metrics of one queue, with client-go's names (`docs/spec/metrics.md#framework-metrics`). */
export class QueueMetrics {
  readonly #labels: LabelValues<(typeof labels)[number]>
  readonly #metrics

  constructor(metrics: Metrics, name: string, runningFor: () => Iterable<Milliseconds>) {
    this.#labels = { name, controller: name }
    this.#metrics = queueMetrics.register(metrics)
    const { unfinished, longest } = this.#metrics
    metrics.onScrape(() => {
      let sum = 0
      let most = 0
      for (const duration of runningFor()) {
        sum += duration
        most = Math.max(most, duration)
      }
      unfinished.set(sum / 1000, this.#labels)
      longest.set(most / 1000, this.#labels)
    })
  }

  added(depth: number): void {
    this.#metrics.adds.inc(this.#labels)
    this.#metrics.depth.set(depth, this.#labels)
  }

  retried(): void {
    this.#metrics.retries.inc(this.#labels)
  }

  taken(depth: number, waited: Milliseconds): void {
    this.#metrics.depth.set(depth, this.#labels)
    this.#metrics.queued.observe(waited / 1000, this.#labels)
  }

  finished(worked: Milliseconds): void {
    this.#metrics.worked.observe(worked / 1000, this.#labels)
  }
}
