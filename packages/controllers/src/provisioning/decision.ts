import type { Milliseconds } from '@kerf/apis'
import type { CheapestOffering, Reason } from '@kerf/engine'

/** One decision of a pass. The type parameters are the types of reasons (`Reported`), of several pods (`Pods`) and of one pod (`Pod`). */
export type DecisionOf<Reported, Pods, Pod> =
  | (Pods & {
      readonly kind: 'launch'
      readonly at: Milliseconds
      readonly nodeClaim: string
      readonly nodePool: string
      readonly cheapest: CheapestOffering
      readonly instanceTypes: number
      readonly reasons: readonly Reported[]
    })
  | (Pods & { readonly kind: 'place'; readonly at: Milliseconds; readonly node: string })
  | (Pod & { readonly kind: 'refuse'; readonly at: Milliseconds; readonly reasons: readonly Reported[] })

/** The keys (`namespace/name`) of several pods, and their UIDs in the same order. */
export interface NamedPods {
  readonly pods: readonly string[]
  readonly uids: readonly string[]
}

/** A pod for which a pass found no node. */
export interface RefusedPod {
  /** `namespace/name` */
  readonly pod: string
  readonly uid: string
  /** Single changes that would make the pod schedulable. Absent if no search for them has run yet. */
  readonly remedies?: readonly string[]
}

/** A decision with structured reasons, for readers who may read all pods. */
export type Decision = DecisionOf<Reason, NamedPods, RefusedPod>
