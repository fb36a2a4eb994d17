import type { Milliseconds } from '@kerf/apis'

/** The state of the cluster at one time. */
export interface Sample {
  readonly at: Milliseconds
  readonly nodes: number
  /** US dollars per hour, at the prices of that time. */
  readonly hourlyCost: number
  readonly pods: number
  readonly waiting: number
}

export interface Waits {
  readonly p50: Milliseconds
  readonly p95: Milliseconds
  readonly p99: Milliseconds
  readonly longest: Milliseconds
}

/** The result of a simulation. */
export interface SimulationResult {
  readonly name: string
  readonly seed: number
  readonly span: Milliseconds
  /** Total cost in US dollars. */
  readonly cost: number
  readonly nodeHours: number
  readonly launches: number
  readonly interruptions: number
  readonly pods: number
  /** Time from the creation of a pod until it runs, or until the end for pods that are still pending. */
  readonly waits: Waits
  /** Pods that Kerf evicted, or deleted because of a terminationGracePeriod. */
  readonly evictions: number
  /** Pods that ran on an instance when it terminated. */
  readonly lost: number
  /** The number of evicted and lost pods, divided by the number of all pods. */
  readonly disruptionsPerPod: number
  /** The workloads with the most disruptions, as `namespace/name`. `pods` counts all pods that the workload ever had. */
  readonly mostDisrupted: readonly { readonly workload: string; readonly disruptions: number; readonly pods: number }[]
  /** The number of pods that were pending at the end. */
  readonly waitingAtEnd: number
  /** The pods in `waitingAtEnd` that are unschedulable, by workload (`namespace/name`). `why` is Kerf's message about one of these pods. */
  readonly withoutPlace: readonly { readonly workload: string; readonly pods: number; readonly why: string }[]
  readonly samples: readonly Sample[]
  /** Objects of API groups that the simulated cluster does not serve, for example `Rollout web`. */
  readonly leftOut: readonly string[]
  /** Changes in the trace that the simulated API server refused, with its messages. */
  readonly refused: readonly string[]
}

/** Returns the smallest value that is at least as large as `share` of the values. `sorted` must be sorted. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

export const computeWaits = (spans: readonly Milliseconds[]): Waits => {
  const sorted = spans.toSorted((a, b) => a - b)
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    longest: sorted.at(-1) ?? 0,
  }
}
