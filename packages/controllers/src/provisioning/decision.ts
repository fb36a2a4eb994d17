import type { Milliseconds } from '@kerf/apis'
import type { CheapestOffering, Reason } from '@kerf/engine'

/** One decision of a pass. `Reported` is the type of a reason; `Pods` and `Pod` name several pods and one pod. */
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

/** A pod without a place. */
export interface RefusedPod {
  /** `namespace/name` */
  readonly pod: string
  readonly uid: string
  /** Single changes that would place the pod. Absent if they have not been searched for yet. */
  readonly remedies?: readonly string[]
}

/** A decision with structured reasons, for readers that may see all pods. */
export type Decision = DecisionOf<Reason, NamedPods, RefusedPod>
