import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan } from '@kerf/engine'

/** Pods that exist in memory only. They use capacity in plans, but are never bound. */
export interface VirtualPods {
  pods(): readonly Pod[]
  /** Returns the snapshot with the in-memory objects that these pods refer to. */
  within(snapshot: ClusterSnapshot): ClusterSnapshot
  isVirtual(pod: Pod): boolean
}

/** The replicas of CapacityBuffers. */
export interface ReservedPods extends VirtualPods {
  /**
   * Called in every pass before its claims are created, with an empty plan if no pod waits. Not called if there are pods but
   * no NodePool can launch.
   */
  placed(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void>
}
