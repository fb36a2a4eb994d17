import type { ClusterSight } from './cluster-process.ts'
import type { LoopDelays } from './loop-delays.ts'
import type { ScrapeFigures } from './scrapes.ts'

/** One measurement of the resources that the autoscaler uses. */
export interface Sample {
  /** Seconds since the start of the period. */
  readonly seconds: number
  /** The average use of a processor core since the previous sample. */
  readonly core: number
  readonly mebibytes: number
}

/** A part of the run in which the cluster changed or pods arrived. */
export interface Period {
  readonly seconds: number
  /** The processor time of the autoscaler and of the cluster's process, as a fraction of a core. */
  readonly core: number
  readonly clusterCore: number
  readonly averageMebibytes: number
  readonly peakMebibytes: number
  readonly requestsPerSecond: number
  /** Bytes per second that the autoscaler receives. */
  readonly receivedPerSecond: number
  readonly sentPerSecond: number
  readonly requests: Readonly<Record<string, number>>
  /** The average load of the machine. */
  readonly load: number
  readonly sight: ClusterSight
  readonly samples: readonly Sample[]
  /** The delays of the event loop. Like `scrapes`, recorded only for Kerf, and not in older runs. */
  readonly loop?: LoopDelays
  readonly scrapes?: ScrapeFigures
}

/** One measured run, stored as JSON in runs/. */
export interface LargeRun {
  readonly autoscaler: string
  readonly commit: string
  readonly measuredAt: string
  /** The load of the machine immediately before the autoscaler started. */
  readonly load: number
  readonly nodes: number
  readonly pace: number
  /** Seconds from the start of the process to the first decision. */
  readonly firstDecision: number
  /** Processor time until the first decision, in seconds. */
  readonly startCpu: number
  /** Peak memory in MiB until the first decision. */
  readonly startPeak: number
  /** MiB received until the first decision. */
  readonly startReceived: number
  /** The delays of the event loop from the start of the process until the measurement began. */
  readonly startLoop?: LoopDelays
  readonly startScrapes?: ScrapeFigures
  readonly hour: Period
  readonly arriving?: Period
  /** Seconds from the end of the batch window until the NodeClaim existed, for each group that has one. */
  readonly reactions: readonly number[]
  readonly groups: number
}

/** The limits for a controller in a cluster of 5,000 nodes. */
export const THRESHOLDS = {
  core: 0.15,
  mebibytes: 700,
  firstDecision: 20,
  reaction: 0.5,
  loopP99: 0.05,
  loopMost: 0.25,
} as const
