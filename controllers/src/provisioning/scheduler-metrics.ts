import { DURATION_BUCKETS } from '@kerf/provider-contract'
import type { Clock, Metrics } from '@kerf/runtime'

/** The `karpenter_scheduler_*` series (`spec/core-api.md` 4.2), on behalf of one controller. */
export class SchedulerMetrics {
  readonly #controller: string
  readonly #clock: Clock
  readonly #duration
  readonly #depth
  readonly #unfinished
  readonly #ignored
  readonly #unschedulable
  readonly #byZone

  constructor(metrics: Metrics, clock: Clock, controller: string) {
    this.#controller = controller
    this.#clock = clock
    this.#duration = metrics.histogram({
      name: 'karpenter_scheduler_scheduling_duration_seconds',
      help: 'Duration of scheduling simulations.',
      labels: ['controller'],
      buckets: DURATION_BUCKETS,
    })
    this.#depth = metrics.gauge({
      name: 'karpenter_scheduler_queue_depth',
      help: 'Pods waiting to be scheduled in a running simulation.',
      labels: ['controller', 'scheduling_id'],
    })
    this.#unfinished = metrics.gauge({
      name: 'karpenter_scheduler_unfinished_work_seconds',
      help: 'How long a running simulation has been at work.',
      labels: ['controller', 'scheduling_id'],
    })
    this.#ignored = metrics.gauge({
      name: 'karpenter_scheduler_ignored_pods_count',
      help: 'Pods that are not handled, because they are invalid.',
    })
    this.#unschedulable = metrics.gauge({
      name: 'karpenter_scheduler_unschedulable_pods_count',
      help: 'Pods for which no place was found.',
      labels: ['controller'],
    })
    this.#byZone = metrics.gauge({
      name: 'karpenter_scheduler_pending_pods_by_effective_zone_count',
      help: 'Pending pods by the only zone that they can use; flexible for several, none for none.',
      labels: ['controller', 'zone'],
    })
  }

  /** Runs one simulation and measures it. */
  measure<T>(schedulingId: string, pods: number, simulate: () => T): T {
    const labels = { controller: this.#controller, scheduling_id: schedulingId }
    this.#depth.set(pods, labels)
    this.#unfinished.set(0, labels)
    const start = this.#clock.monotonic()
    try {
      return simulate()
    } finally {
      this.#duration.observe((this.#clock.monotonic() - start) / 1000, { controller: this.#controller })
      this.#depth.remove(labels)
      this.#unfinished.remove(labels)
    }
  }

  /** A whole pass, around its simulation: upstream observes both. */
  passed(seconds: number): void {
    this.#duration.observe(seconds, { controller: this.#controller })
  }

  /** The zones of one run take the place of those of the run before. */
  zones(pods: ReadonlyMap<string, number> = new Map()): void {
    this.#byZone.remove({ controller: this.#controller })
    for (const [zone, count] of pods) this.#byZone.set(count, { controller: this.#controller, zone })
  }

  counted(counts: { readonly ignored: number; readonly unschedulable: number }): void {
    this.#ignored.set(counts.ignored)
    this.#unschedulable.set(counts.unschedulable, { controller: this.#controller })
  }
}
