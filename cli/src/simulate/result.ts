import type { Milliseconds } from '@kerf/apis'

/** The cluster at one time. */
export interface Sample {
  readonly at: Milliseconds
  readonly nodes: number
  /** US dollars an hour, at the prices of then. */
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

/** What a simulation came to. */
export interface SimulationResult {
  readonly name: string
  readonly seed: number
  readonly span: Milliseconds
  /** US dollars for the whole time. */
  readonly cost: number
  readonly nodeHours: number
  readonly launches: number
  readonly interruptions: number
  readonly pods: number
  /** From creation to running. Of pods that are still pending, until the end. */
  readonly waits: Waits
  /** Pods that Kerf had leave their node: evicted, or deleted to meet a terminationGracePeriod. */
  readonly evictions: number
  /** Pods that ran on an instance when it terminated. */
  readonly lost: number
  /** Evicted or lost, by all pods there were. */
  readonly disruptionsPerPod: number
  /** By `namespace/name`; `pods` are all that the workload ever had. */
  readonly mostDisrupted: readonly { readonly workload: string; readonly disruptions: number; readonly pods: number }[]
  /** Pods that were pending at the end. */
  readonly waitingAtEnd: number
  /** The unschedulable ones: by `namespace/name` of their workload, how many, and what Kerf reported about one of them. */
  readonly withoutPlace: readonly { readonly workload: string; readonly pods: number; readonly why: string }[]
  readonly samples: readonly Sample[]
  /** Objects of API groups that the simulated cluster does not have: `Rollout web`. */
  readonly leftOut: readonly string[]
  /** What of the trace the simulated cluster did not take, in the API server's words. */
  readonly refused: readonly string[]
}

/** The smallest of the sorted values that at least this share does not exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

export const waitsOf = (spans: readonly Milliseconds[]): Waits => {
  const sorted = spans.toSorted((a, b) => a - b)
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    longest: sorted.at(-1) ?? 0,
  }
}
