import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import type { Reason } from '../reason.ts'
import type { DisruptionReason } from './reason.ts'

/** `namespace/name`. */
type ObjectName = string

/** A pod that could not be rescheduled. */
export interface UnplacedPod {
  readonly pod: ObjectName
  /** The reasons as text, for events. */
  readonly why: string
  /** The reasons as data. */
  readonly reasons?: readonly Reason[]
  /** The text of `why` if it does not come from the engine: the pod fits only on a node that may never start. Names no pod. */
  readonly waitsFor?: string
}

/** A reason why no method may take a node (`docs/spec/disruption.md#candidates`). */
export type CandidateBlocker =
  | { readonly code: 'command.queued' }
  /** `group` is the node group of another autoscaler that the node belongs to, if its labels or annotations show one. */
  | { readonly code: 'node.unmanaged'; readonly group?: string; readonly shownBy?: string }
  | { readonly code: 'claim.no-node' }
  | { readonly code: 'node.uninitialized' }
  /** Reading the node, its claim or a pod on it threw an error. */
  | { readonly code: 'node.unreadable' }
  | { readonly code: 'node.deleting' }
  /** `pod` is the pod that waits for the node, if it is known. */
  | { readonly code: 'node.nominated'; readonly until: Milliseconds; readonly pod?: string }
  | { readonly code: 'node.do-not-disrupt' }
  | { readonly code: 'node.no-pool-label' }
  | { readonly code: 'pool.not-found'; readonly pool: string }
  | { readonly code: 'pool.paused'; readonly pool: string; readonly owner: string; readonly until: Milliseconds }
  | { readonly code: 'pod.do-not-disrupt'; readonly pod: ObjectName; readonly until?: Milliseconds }
  | { readonly code: 'pdb.blocks'; readonly pod: ObjectName; readonly budget: ObjectName }
  | { readonly code: 'pdb.several'; readonly pod: ObjectName; readonly budgets: readonly ObjectName[] }

/** A reason why one method may not take a candidate (`docs/spec/disruption.md#eligibility`). */
export type EligibilityBlocker =
  | { readonly code: 'pool.static'; readonly pool: string }
  | { readonly code: 'pool.dynamic'; readonly pool: string }
  | { readonly code: 'node.not-drifted' }
  | { readonly code: 'node.not-empty'; readonly pods: number }
  | { readonly code: 'node.empty' }
  | { readonly code: 'node.not-consolidatable'; readonly until?: Milliseconds }
  | { readonly code: 'node.buffer-pods'; readonly node: string }
  | { readonly code: 'pool.consolidation-off'; readonly pool: string }
  | { readonly code: 'pool.only-when-empty'; readonly pool: string }
  | { readonly code: 'type.unknown'; readonly type: string }
  /** The price of the node, or of all possible replacements, is unknown. */
  | { readonly code: 'price.unknown'; readonly type: string }
  | { readonly code: 'label.missing'; readonly label: string }

/**
 * A reason why a move is not made although the node may be taken (`docs/spec/disruption.md#budgets`,
 * `docs/spec/disruption.md#consolidation`).
 */
export type MoveBlocker =
  | {
      readonly code: 'budget.exhausted'
      readonly pool: string
      readonly reason: DisruptionReason
      readonly allowed: number
      readonly disrupting: number
      /** The indexes of those budgets in the pool's list that each allow no more. */
      readonly budgets: readonly number[]
      /** The time at which the schedules alone allow more. */
      readonly opensAt?: Milliseconds
      readonly error?: string
    }
  | { readonly code: 'pools.none' }
  | {
      readonly code: 'pods.unschedulable'
      readonly pods: readonly UnplacedPod[]
    }
  | { readonly code: 'replacements.too-many'; readonly count: number }
  | { readonly code: 'replacements.uncertain'; readonly type: string }
  | { readonly code: 'price.not-cheaper'; readonly price: UsdPerHour; readonly closest?: UsdPerHour }
  | {
      readonly code: 'min-values.unmet'
      readonly keys: readonly { readonly key: string; readonly count: number }[]
      readonly types: number
    }
  | { readonly code: 'spot.disabled' }
  | { readonly code: 'spot.too-few-types'; readonly types: number; readonly needed: number }
  /** The result of earlier moves among the pools was undone: the price is the same again. */
  | { readonly code: 'moves.undone'; readonly pools: readonly string[]; readonly until: Milliseconds }
  | { readonly code: 'score.too-low'; readonly pool: string; readonly score: number; readonly threshold: number }

/**
 * A condition that the termination of a deleted node waits for (`docs/spec/termination.md`), in addition to pods that must
 * not be evicted.
 */
export type TerminationBlocker =
  | { readonly code: 'deadline.unreadable'; readonly problem: string }
  | { readonly code: 'pods.leaving'; readonly pods: readonly ObjectName[] }
  | { readonly code: 'volumes.attached' }
  | { readonly code: 'instance.ending' }
  | {
      readonly code: 'finalizers.foreign'
      readonly kind: 'Node' | 'NodeClaim'
      readonly name: string
      readonly finalizers: readonly string[]
    }

/** The reason why a node is not disrupted, or the condition that its termination waits for, as data. */
export type Blocker = CandidateBlocker | EligibilityBlocker | MoveBlocker | TerminationBlocker
