import { type LabelAlias, type Milliseconds, type Node, ownValue } from '@kerf/apis'

/** A CSI driver that the simulated nodes run. */
export interface CsiDriver {
  readonly name: string
  /** How many volumes of the driver a node takes; unlimited when absent. */
  readonly limit?: number
  readonly topologyKeys?: readonly string[]
}

/** How the simulated kubelets behave. Spans are of the cluster's clock. */
export interface KubeletOptions {
  /** From the appearance of a Node to its first Ready. Default 2 s. */
  readonly bootDelay: Milliseconds
  /** From binding to running containers. Default 1 s. */
  readonly podStartDelay: Milliseconds
  /** How long containers take to stop after a deletion; never longer than the grace period. Default 500 ms. */
  readonly podStopDelay: Milliseconds
  /** How long the containers of a Job run unless the pod says otherwise. Default 10 s. */
  readonly jobDuration: Milliseconds
  /**
   * How often a node renews its Lease. Default 5 min, far apart so that thousands of nodes cost little: the Lease says
   * until when the renewal holds, and a node that dies says so with its last breath (see `HEARTBEAT_GRACE`). The status
   * is written when it changes.
   */
  readonly heartbeatPeriod: Milliseconds
  readonly csiDrivers: readonly CsiDriver[]
  /**
   * Topology labels that drivers of volumes put on Nodes once they are ready, under their own names: a Node with the label has
   * the alias too. Default: none.
   */
  readonly driverTopology: readonly LabelAlias[]
  /** Which nodes these kubelets play. Default: all. */
  readonly plays: (node: Node) => boolean
}

export const DEFAULT_KUBELET_OPTIONS: KubeletOptions = {
  bootDelay: 2000,
  podStartDelay: 1000,
  podStopDelay: 500,
  jobDuration: 10_000,
  heartbeatPeriod: 300_000,
  csiDrivers: [],
  driverTopology: [],
  plays: () => true,
}

/** Without a sign of life for this long a node counts as lost, as in a real cluster. */
export const HEARTBEAT_GRACE: Milliseconds = 40_000

/**
 * Annotations by which a pod or node tells its simulated kubelet what to do. Values are seconds (`1.5`), or Go-like
 * durations (`1m30s`).
 */
export const ANNOTATION = {
  /** Pod: from binding to running. */
  startAfter: 'sandbox.kerf.sh/start-after',
  /** Pod: from running to ready. `never` for a pod that never gets ready. */
  readyAfter: 'sandbox.kerf.sh/ready-after',
  /** Pod: how long the containers run before they end by themselves. */
  runFor: 'sandbox.kerf.sh/run-for',
  /** Pod: the exit code they end with. Default 0. */
  exitCode: 'sandbox.kerf.sh/exit-code',
  /** Pod: how long the containers take to stop. `never`: until the grace period is over. */
  stopAfter: 'sandbox.kerf.sh/stop-after',
  /** Node: from its appearance to Ready. `never` for a node that never gets ready. */
  bootAfter: 'sandbox.kerf.sh/boot-after',
} as const

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The duration that an annotation gives, `otherwise` when absent or unreadable, infinite for `never`. */
export const durationOf = (text: string | undefined, otherwise: Milliseconds): Milliseconds => {
  if (text === undefined) return otherwise
  if (text === 'never') return Number.POSITIVE_INFINITY
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return otherwise
  let duration = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    duration += Number(amount) * (ownValue(UNITS, unit ?? '') ?? 0)
  }
  return duration
}
