import type { Milliseconds } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { type Clock, defineMetrics, type Labels, type Metrics } from '@kerf/runtime'

/** How long the values of a simulation are exported, in milliseconds. This is the usual interval between two scrapes. */
const SHOWN_FOR = 60_000

export const schedulerMetrics = defineMetrics({
  duration: {
    name: 'karpenter_scheduler_scheduling_duration_seconds',
    type: 'histogram',
    help: 'Duration of scheduling simulations.',
    labels: ['controller'],
    buckets: DURATION_BUCKETS,
  },
  depth: {
    name: 'karpenter_scheduler_queue_depth',
    type: 'gauge',
    help: 'Pods in the last scheduling simulation. Shown for a minute after it.',
    labels: ['controller', 'scheduling_id'],
  },
  unfinished: {
    name: 'karpenter_scheduler_unfinished_work_seconds',
    type: 'gauge',
    help: 'Duration of the last scheduling simulation. Shown for a minute after it.',
    labels: ['controller', 'scheduling_id'],
  },
  ignored: {
    name: 'karpenter_scheduler_ignored_pods_count',
    type: 'gauge',
    help: 'Pods that Kerf ignores because they are invalid.',
  },
  unschedulable: {
    name: 'karpenter_scheduler_unschedulable_pods_count',
    type: 'gauge',
    help: 'Pods that no node and no new NodeClaim can take.',
    labels: ['controller'],
  },
  byZone: {
    name: 'karpenter_scheduler_pending_pods_by_effective_zone_count',
    type: 'gauge',
    help: 'Pending pods by the only zone that they can use; flexible for several zones, none if no zone is possible.',
    labels: ['controller', 'zone'],
  },
})

/** Writes the `karpenter_scheduler_*` metrics (`docs/spec/metrics.md#core-metrics`) of one controller. */
export class SchedulerMetrics {
  readonly #controller: string
  readonly #clock: Clock
  readonly #duration
  readonly #depth
  readonly #unfinished
  readonly #ignored
  readonly #unschedulable
  readonly #byZone
  /** The labels and end time of the previous simulation. */
  #last: { readonly labels: Labels; readonly endedAt: Milliseconds } | undefined

  constructor(metrics: Metrics, clock: Clock, controller: string) {
    this.#controller = controller
    this.#clock = clock
    const registered = schedulerMetrics.register(metrics)
    this.#duration = registered.duration
    this.#depth = registered.depth
    this.#unfinished = registered.unfinished
    this.#ignored = registered.ignored
    this.#unschedulable = registered.unschedulable
    this.#byZone = registered.byZone
    metrics.onScrape(() => {
      if (this.#last !== undefined && clock.monotonic() - this.#last.endedAt > SHOWN_FOR) this.#clear()
    })
  }

  /**
   * Runs and measures one simulation. Its values for queue depth and unfinished work are exported for one minute, or until the next
   * simulation.
   */
  async measure<T>(schedulingId: string, pods: number, simulate: () => Promise<T>): Promise<T> {
    const labels = { controller: this.#controller, scheduling_id: schedulingId }
    this.#clear()
    this.#depth.set(pods, labels)
    const start = this.#clock.monotonic()
    try {
      return await simulate()
    } finally {
      const endedAt = this.#clock.monotonic()
      this.#duration.observe((endedAt - start) / 1000, { controller: this.#controller })
      this.#unfinished.set((endedAt - start) / 1000, labels)
      this.#last = { labels, endedAt }
    }
  }

  #clear(): void {
    if (this.#last === undefined) return
    this.#depth.remove(this.#last.labels)
    this.#unfinished.remove(this.#last.labels)
    this.#last = undefined
  }

  /** Observes the duration of a whole pass. As in upstream, the same metric also contains the durations of simulations. */
  passed(seconds: number): void {
    this.#duration.observe(seconds, { controller: this.#controller })
  }

  /** Replaces the zones of the previous simulation with those of this one. */
  zones(pods: ReadonlyMap<string, number> = new Map()): void {
    this.#byZone.remove({ controller: this.#controller })
    for (const [zone, count] of pods) this.#byZone.set(count, { controller: this.#controller, zone })
  }

  counted(counts: { readonly ignored: number; readonly unschedulable: number }): void {
    this.#ignored.set(counts.ignored)
    this.#unschedulable.set(counts.unschedulable, { controller: this.#controller })
  }
}
