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
    help: 'Write requests that were not sent because the Lease had expired by the clock of this process.',
  },
})

/**
 * A gate for writes that is open while this process holds the Lease according to its own monotonic clock
 * (`docs/spec/process.md#writes-and-the-lease`). If a process was suspended for a minute, it finds the gate closed when it resumes,
 * even before it learns that another process leads. The gate is open until the Lease is held for the first time, because a process
 * that waits for the Lease writes nothing.
 */
export class LeaseGate implements WriteGate {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #lease: string
  readonly #metrics
  #heldUntil: Milliseconds = Number.POSITIVE_INFINITY

  /** `lease` is `namespace/name`, for messages. */
  constructor(clock: Pick<Clock, 'monotonic'>, metrics: Metrics, lease: string) {
    this.#clock = clock
    this.#lease = lease
    this.#metrics = leaseGateMetrics.register(metrics)
    this.#metrics.refused.inc({}, 0)
  }

  /** Sets the time until which the Lease is held, as measured by `clock.monotonic()`. */
  holdUntil(time: Milliseconds): void {
    this.#heldUntil = time
  }

  /** Returns whether the gate is open. */
  get isOpen(): boolean {
    return this.#clock.monotonic() < this.#heldUntil
  }

  check(): void {
    if (this.isOpen) return
    this.#metrics.refused.inc({})
    throw runtimeErrors.LeaseLost({ lease: this.#lease })
  }
}
