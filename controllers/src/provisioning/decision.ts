import type { Milliseconds } from '@kerf/apis'
import type { CheapestOffering, Reason } from '@kerf/engine'

/** One thing that a pass decided. `Told` is how reasons are said, `Pods` and `Pod` how many pods are named, and one. */
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

/** `namespace/name` of several pods, and their uids in the same order. */
export interface NamedPods {
  readonly pods: readonly string[]
  readonly uids: readonly string[]
}

/** A pod that has no place. */
export interface RefusedPod {
  /** `namespace/name` */
  readonly pod: string
  readonly uid: string
  /** Single changes that would place the pod; absent when they were not searched for yet. */
  readonly remedies?: readonly string[]
}

/** With its reasons as data, for readers who may know every pod. */
export type Decision = DecisionOf<Reason, NamedPods, RefusedPod>
