import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { WriteGate } from '../kube-client/write-gate.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'

export const leaseGateMetrics = defineMetrics({
  refused: {
    name: 'kerf_writes_refused_without_lease_total',
    type: 'counter',
    help: 'Requests that would have changed something and were not sent, because the Lease had run out by this process’s own clock.',
  },
})

/**
 * Open while the Lease is held by our own monotonic clock. A process that was stopped for a minute finds it closed when it
 * goes on, before it hears that another has taken over. `docs/spec/process.md#writes-and-the-lease`.
 *
 * It is open until the Lease is held for the first time: a process that waits for it writes nothing.
 */
export class LeaseGate implements WriteGate {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #lease: string
  readonly #metrics
  #heldUntil: Milliseconds = Number.POSITIVE_INFINITY

  /** `lease`: `namespace/name`, for messages. */
  constructor(clock: Pick<Clock, 'monotonic'>, metrics: Metrics, lease: string) {
    this.#clock = clock
    this.#lease = lease
    this.#metrics = leaseGateMetrics.register(metrics)
    this.#metrics.refused.inc({}, 0)
  }

  /** The Lease is held until then, in the time of `clock.monotonic()`. */
  holdUntil(time: Milliseconds): void {
    this.#heldUntil = time
  }

  /** Whether the Lease is held. */
  get isOpen(): boolean {
    return this.#clock.monotonic() < this.#heldUntil
  }

  check(): void {
    if (this.isOpen) return
    this.#metrics.refused.inc({})
    throw runtimeErrors.LeaseLost({ lease: this.#lease })
  }
}
