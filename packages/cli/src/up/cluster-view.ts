import type { UsdPerHour } from '@kerf/apis'

/** The stage that a NodeClaim has reached between the decision and a ready node, or `going` while it terminates. */
export type ClaimStage = 'launching' | 'registering' | 'initialising' | 'ready' | 'going'

export interface ClaimRow {
  readonly claim: string
  readonly node: string | undefined
  readonly nodePool: string
  readonly stage: ClaimStage
  readonly instanceType: string | undefined
  readonly zone: string | undefined
  readonly capacityType: string | undefined
  readonly hourlyPrice: UsdPerHour | undefined
  readonly pods: number
  /** The requested share of the allocatable amount, from 0 to 1. */
  readonly cpuUsed: number | undefined
  readonly memoryUsed: number | undefined
  /** Why this node was launched, in one sentence. Absent if Kerf decided it before this process started. */
  readonly why: string | undefined
}

export interface PodCounts {
  /** Pods that are not bound to a node. */
  readonly pending: number
  /** Pods that are bound but whose containers are not running yet. */
  readonly starting: number
  readonly running: number
  readonly terminating: number
}

export interface WaitingPod {
  readonly pod: string
  readonly why: string
}

/** The state of the cluster, as the screen and the JSON output show it. */
export interface ClusterView {
  /** Seconds of cluster time since the manifests were applied. */
  readonly seconds: number
  readonly pods: PodCounts
  readonly claims: readonly ClaimRow[]
  /** Unschedulable pods, with the closest instance type. */
  readonly waiting: readonly WaitingPod[]
  readonly hourlyCost: UsdPerHour
  readonly settled: boolean
  /** Seconds until nodes may be consolidated. Set only if nothing else can happen earlier. */
  readonly consolidatesIn?: number
}

/** The output of `kerf up -o json`, printed once. */
export interface UpResult {
  readonly settled: boolean
  readonly seconds: number
  readonly pods: { readonly running: number; readonly pending: number }
  readonly nodes: readonly {
    readonly name: string
    readonly nodePool: string
    readonly instanceType: string
    readonly zone: string
    readonly capacityType: string
    /** Absent if the price is unknown. */
    readonly hourlyPrice?: UsdPerHour
    readonly pods: number
  }[]
  readonly nodeClaims: number
  readonly hourlyCost: UsdPerHour
}

export const toUpResult = (view: ClusterView): UpResult => ({
  settled: view.settled,
  seconds: view.seconds,
  pods: { running: view.pods.running, pending: view.pods.pending + view.pods.starting },
  nodes: view.claims.flatMap((row) =>
    row.node === undefined
      ? []
      : [
          {
            name: row.node,
            nodePool: row.nodePool,
            instanceType: row.instanceType ?? '',
            zone: row.zone ?? '',
            capacityType: row.capacityType ?? '',
            ...(row.hourlyPrice === undefined ? {} : { hourlyPrice: row.hourlyPrice }),
            pods: row.pods,
          },
        ],
  ),
  nodeClaims: view.claims.length,
  hourlyCost: view.hourlyCost,
})
