import { type LabelAlias, type Milliseconds, type Node, ownValue } from '@kerf/apis'

/** A CSI driver that runs on the simulated nodes. */
export interface CsiDriver {
  readonly name: string
  /** The maximum number of the driver's volumes on a node. Unlimited if absent. */
  readonly limit?: number
  readonly topologyKeys?: readonly string[]
}

/** How the simulated kubelets behave. Durations are measured on the cluster's clock. */
export interface KubeletOptions {
  /** Time from the creation of a Node until it first becomes Ready. Default 2 s. */
  readonly bootDelay: Milliseconds
  /** Time from the binding of a pod until its containers are running. Default 1 s. */
  readonly podStartDelay: Milliseconds
  /** How long containers take to stop after a deletion, limited by the grace period. Default 500 ms. */
  readonly podStopDelay: Milliseconds
  /** How long the containers of a Job run. A pod's annotation overrides it. Default 10 s. */
  readonly jobDuration: Milliseconds
  /**
   * How often a node renews its Lease. Default 5 min, so that thousands of nodes cost little. After a renewal, the Lease expires
   * `HEARTBEAT_GRACE` after the next renewal is due. When a test makes a node silent, the simulated kubelet first shortens the Lease to
   * `HEARTBEAT_GRACE`. The node's status is written only when it changes.
   */
  readonly heartbeatPeriod: Milliseconds
  readonly csiDrivers: readonly CsiDriver[]
  /**
   * Topology labels that volume drivers set on Nodes after the Nodes become ready, with the label name of each driver. A Node that has the
   * driver's label also gets the standard label. Default: none.
   */
  readonly driverTopology: readonly LabelAlias[]
  /** Selects the nodes that these kubelets simulate. Default: all. */
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

/** How long a node may miss heartbeats before it counts as lost, as in a real cluster. */
export const HEARTBEAT_GRACE: Milliseconds = 40_000

/** Annotations that control the simulated kubelet of a pod or node. Values are seconds (`1.5`) or Go durations (`1m30s`). */
export const ANNOTATION = {
  /** Pod: time from binding to running. */
  startAfter: 'sandbox.kerf.sh/start-after',
  /** Pod: time from running to ready. `never` for a pod that never becomes ready. */
  readyAfter: 'sandbox.kerf.sh/ready-after',
  /** Pod: how long the containers run before they exit. */
  runFor: 'sandbox.kerf.sh/run-for',
  /** Pod: the exit code of the containers. Default 0. */
  exitCode: 'sandbox.kerf.sh/exit-code',
  /** Pod: how long the containers take to stop. `never` means that they run until the grace period ends. */
  stopAfter: 'sandbox.kerf.sh/stop-after',
  /** Node: time from its creation to Ready. `never` for a node that never becomes ready. */
  bootAfter: 'sandbox.kerf.sh/boot-after',
} as const

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Returns the duration in an annotation, in milliseconds. Returns `otherwise` if the annotation is absent or cannot be parsed, and
 * infinity for `never`.
 */
export const parseDurationOr = (text: string | undefined, otherwise: Milliseconds): Milliseconds => {
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
