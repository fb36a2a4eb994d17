import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, ScheduleOptions } from '@kerf/engine'

/** The input of one decision: a cluster, the pods to place, and the settings. */
export interface Question {
  readonly snapshot: ClusterSnapshot
  readonly pods: readonly Pod[]
  readonly options: ScheduleOptions
}

/** A benchmark: its description, upstream's figures, and a function that creates the input. Creating the input is not measured. */
export interface Workload {
  readonly name: string
  readonly about: string
  /** The median of upstream's recorded runs of this workload (`docs/spec/scheduling-benchmark.md#upstreams-times`), if there are any. */
  readonly upstream?: { readonly podsPerSecond: number; readonly seconds: number; readonly nodes?: number }
  /** The maximum for the median in seconds, for workloads whose target is a time instead of a ratio. */
  readonly secondsAllowed?: number
  make(): Question | Promise<Question>
}
