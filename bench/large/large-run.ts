import type { ClusterSight } from './cluster-process.ts'
import type { LoopDelays } from './loop-delays.ts'
import type { ScrapeFigures } from './scrapes.ts'

/** What was seen of the autoscaler once in a while. */
export interface Sample {
  /** Since the period began. */
  readonly seconds: number
  /** Since the sample before. */
  readonly core: number
  readonly mebibytes: number
}

/** A time during which the cluster changed, or pods arrived. */
export interface Period {
  readonly seconds: number
  /** Processor time of the autoscaler and of the cluster's process, as parts of a core. */
  readonly core: number
  readonly clusterCore: number
  readonly averageMebibytes: number
  readonly peakMebibytes: number
  readonly requestsPerSecond: number
  /** Bytes, as the autoscaler sees them. */
  readonly receivedPerSecond: number
  readonly sentPerSecond: number
  readonly requests: Readonly<Record<string, number>>
  /** The machine's, on average. */
  readonly load: number
  readonly sight: ClusterSight
  readonly samples: readonly Sample[]
  /** Of Kerf only. Runs before there were scrapes lack both. */
  readonly loop?: LoopDelays
  readonly scrapes?: ScrapeFigures
}

/** One run as it was measured. Kept in runs/, as JSON. */
export interface LargeRun {
  readonly autoscaler: string
  readonly commit: string
  readonly measuredAt: string
  /** The machine's, just before the autoscaler was started. */
  readonly load: number
  readonly nodes: number
  readonly pace: number
  /** Seconds from the start of the process. */
  readonly firstDecision: number
  /** Seconds of processor time until then. */
  readonly startCpu: number
  /** MiB until then. */
  readonly startPeak: number
  /** MiB received until then. */
  readonly startReceived: number
  /** The event loop from the start of the process until the measured time began. */
  readonly startLoop?: LoopDelays
  readonly startScrapes?: ScrapeFigures
  readonly hour: Period
  readonly arriving?: Period
  /** Seconds from the end of the batch window to the NodeClaim, for each group that was decided. */
  readonly reactions: readonly number[]
  readonly groups: number
}

/** What a controller in a cluster of 5,000 nodes may cost. */
export const THRESHOLDS = {
  core: 0.15,
  mebibytes: 700,
  firstDecision: 20,
  reaction: 0.5,
  loopP99: 0.05,
  loopMost: 0.25,
} as const
