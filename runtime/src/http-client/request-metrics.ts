import type { Milliseconds } from '../clock/clock.ts'
import type { Counter, Histogram, Metrics } from '../metrics/metrics.ts'

/** 1 ms growing by half, twenty times. */
const BUCKETS: readonly number[] = Array.from({ length: 20 }, (_, step) => Number((0.001 * 1.5 ** step).toPrecision(6)))

/** What a request is about, as the metric labels it. */
export interface RequestSubject {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly subresource: string
}

/** `client_go_request_total` and `client_go_request_duration_seconds`. `docs/spec/metrics.md#framework-metrics`. */
export class RequestMetrics {
  readonly #total: Counter
  readonly #duration: Histogram

  constructor(metrics: Metrics) {
    this.#total = metrics.counter({
      name: 'client_go_request_total',
      help: 'Requests to the API server by status code and method.',
      labels: ['code', 'method'],
    })
    this.#duration = metrics.histogram({
      name: 'client_go_request_duration_seconds',
      help: 'How long requests to the API server take until the answer begins.',
      labels: ['verb', 'group', 'version', 'kind', 'subresource'],
      buckets: BUCKETS,
    })
  }

  /** `code` 0, no answer, is shown as client-go shows it. */
  answered(subject: RequestSubject, method: string, code: number, duration: Milliseconds): void {
    this.#total.inc({ code: code === 0 ? '<error>' : String(code), method })
    this.#duration.observe(duration / 1000, { ...subject })
  }
}
