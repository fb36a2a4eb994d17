import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, ScheduleOptions } from '@kerf/engine'

/** One question for the engine: a cluster, the pods to place, and the settings to place them with. */
export interface Question {
  readonly snapshot: ClusterSnapshot
  readonly pods: readonly Pod[]
  readonly options: ScheduleOptions
}

/** A benchmark: what it is, what upstream needed for it, and how to make it. Making it is not timed. */
export interface Workload {
  readonly name: string
  readonly about: string
  /**
   * Median of upstream's recorded runs of this very workload (`docs/spec/scheduling-benchmark.md#upstreams-times`),
   * where there is one.
   */
  readonly upstream?: { readonly podsPerSecond: number; readonly seconds: number; readonly nodes?: number }
  /** Seconds that the issue allows for the median, where it names a time instead of a ratio. */
  readonly secondsAllowed?: number
  make(): Question | Promise<Question>
}
