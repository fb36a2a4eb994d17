import type { Milliseconds } from '../clock/clock.ts'
import type { Counter, Gauge, Histogram, Metrics } from '../metrics/metrics.ts'

/** 10 ns to 1000 s in steps of ten, as client-go has them. */
const BUCKETS: readonly number[] = Array.from({ length: 12 }, (_, exponent) => Number(`1e${exponent - 8}`))
const LABELS = ['name', 'controller'] as const

/** The `workqueue_*` series of one queue, with client-go's names. `docs/spec/metrics.md#framework-metrics`. */
export class QueueMetrics {
  readonly #labels: Readonly<Record<string, string>>
  readonly #depth: Gauge
  readonly #adds: Counter
  readonly #retries: Counter
  readonly #queued: Histogram
  readonly #worked: Histogram

  constructor(metrics: Metrics, name: string, runningFor: () => Iterable<Milliseconds>) {
    const labels = LABELS
    this.#labels = { name, controller: name }
    this.#depth = metrics.gauge({ name: 'workqueue_depth', help: 'Keys that wait in the queue.', labels })
    this.#adds = metrics.counter({ name: 'workqueue_adds_total', help: 'Keys put into the queue.', labels })
    this.#retries = metrics.counter({ name: 'workqueue_retries_total', help: 'Keys put back by a back-off.', labels })
    this.#queued = metrics.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long a key waits in the queue before work on it starts.',
      labels,
      buckets: BUCKETS,
    })
    this.#worked = metrics.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long the work on a key takes.',
      labels,
      buckets: BUCKETS,
    })
    const unfinished = metrics.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'Time spent so far on keys in work, summed; steady growth points to stuck work.',
      labels,
    })
    const longest = metrics.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'Time spent so far on the key that has been in work for longest.',
      labels,
    })
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
    this.#adds.inc(this.#labels)
    this.#depth.set(depth, this.#labels)
  }

  retried(): void {
    this.#retries.inc(this.#labels)
  }

  taken(depth: number, waited: Milliseconds): void {
    this.#depth.set(depth, this.#labels)
    this.#queued.observe(waited / 1000, this.#labels)
  }

  finished(worked: Milliseconds): void {
    this.#worked.observe(worked / 1000, this.#labels)
  }
}
