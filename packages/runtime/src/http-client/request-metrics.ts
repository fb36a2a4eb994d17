import type { Milliseconds } from '@kerf/apis'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { HttpVersion } from './silent-connection.ts'

/** Twenty buckets from 1 ms, each 1.5 times the previous one. */
const BUCKETS: readonly number[] = Array.from({ length: 20 }, (_, step) => Number((0.001 * 1.5 ** step).toPrecision(6)))

export const requestMetrics = defineMetrics({
  total: {
    name: 'client_go_request_total',
    type: 'counter',
    help: 'Requests to the API server by status code and method.',
    labels: ['code', 'method'],
  },
  duration: {
    name: 'client_go_request_duration_seconds',
    type: 'histogram',
    help: 'Time until the API server starts to respond to a request.',
    labels: ['verb', 'group', 'version', 'kind', 'subresource'],
    buckets: BUCKETS,
  },
  silent: {
    name: 'kerf_api_connections_silent_total',
    type: 'counter',
    help: 'Connections to an API server that Kerf closed because it received nothing on them, not even pings.',
    labels: ['http_version'],
  },
})

/** The verb and the kind of a request, as labels of the metric. */
export interface RequestSubject {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly subresource: string
}

/** The metrics `client_go_request_total` and `client_go_request_duration_seconds` (`docs/spec/metrics.md#framework-metrics`). */
export class RequestMetrics {
  readonly #metrics

  constructor(metrics: Metrics) {
    this.#metrics = requestMetrics.register(metrics)
  }

  /** Records a response. If `code` is 0, there was no response, and the label `code` is `<error>`, as in client-go. */
  answered(subject: RequestSubject, method: string, code: number, duration: Milliseconds): void {
    this.#metrics.total.inc({ code: code === 0 ? '<error>' : String(code), method })
    this.#metrics.duration.observe(duration / 1000, { ...subject })
  }
  /** Records that a connection was closed because nothing was received on it. */
  silent(version: HttpVersion): void {
    this.#metrics.silent.inc({ http_version: version })
  }
}
