import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan } from '@kerf/engine'

/** Pods that exist only in memory. They use capacity in plans but are never bound. */
export interface VirtualPods {
  pods(): readonly Pod[]
  /** Returns the snapshot with the in-memory objects that these pods refer to. */
  within(snapshot: ClusterSnapshot): ClusterSnapshot
  isVirtual(pod: Pod): boolean
}

/** The replicas of CapacityBuffers. */
export interface ReservedPods extends VirtualPods {
  /**
   * Called in every pass before its claims are created. The plan is empty if no pod waits. Not called if pods wait but no NodePool can
   * launch nodes.
   */
  placed(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void>
}
