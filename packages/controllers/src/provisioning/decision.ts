import type { Milliseconds } from '@kerf/apis'
import type { CheapestOffering, Reason } from '@kerf/engine'

/**
 * One decision of a pass. The type parameters define how it names reasons (`Reported`), several pods (`Pods`) and one pod (`Pod`).
 */
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

/** A pod for which the pass found no node. */
export interface RefusedPod {
  /** `namespace/name` */
  readonly pod: string
  readonly uid: string
  /** Single changes that would make the pod schedulable. Absent if they have not been searched for yet. */
  readonly remedies?: readonly string[]
}

/** A decision with structured reasons, for readers that may read all pods. */
export type Decision = DecisionOf<Reason, NamedPods, RefusedPod>
