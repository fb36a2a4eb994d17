import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import type { Reason } from '../reason.ts'
import type { DisruptionReason } from './reason.ts'

/** `namespace/name`. */
type ObjectName = string

/** A pod that would have no place. */
export interface UnplacedPod {
  readonly pod: ObjectName
  /** In words, for events. */
  readonly why: string
  /** The same as data. */
  readonly reasons?: readonly Reason[]
  /** `why`, where it is not the engine's: the pod would have a place on a node that may never come. Names no pod. */
  readonly waitsFor?: string
}

/** What keeps any method from taking a node (`docs/spec/disruption.md#candidates`). */
export type CandidateBlocker =
  | { readonly code: 'command.queued' }
  /** `group`: the node group of another autoscaler that it belongs to, where it shows one. */
  | { readonly code: 'node.unmanaged'; readonly group?: string; readonly shownBy?: string }
  | { readonly code: 'claim.no-node' }
  | { readonly code: 'node.uninitialized' }
  /** Something threw while the node, its claim or a pod on it was read. */
  | { readonly code: 'node.unreadable' }
  | { readonly code: 'node.deleting' }
  /** `pod`: what waits for it, when that is known. */
  | { readonly code: 'node.nominated'; readonly until: Milliseconds; readonly pod?: string }
  | { readonly code: 'node.do-not-disrupt' }
  | { readonly code: 'node.no-pool-label' }
  | { readonly code: 'pool.not-found'; readonly pool: string }
  | { readonly code: 'pool.paused'; readonly pool: string; readonly owner: string; readonly until: Milliseconds }
  | { readonly code: 'pod.do-not-disrupt'; readonly pod: ObjectName; readonly until?: Milliseconds }
  | { readonly code: 'pdb.blocks'; readonly pod: ObjectName; readonly budget: ObjectName }
  | { readonly code: 'pdb.several'; readonly pod: ObjectName; readonly budgets: readonly ObjectName[] }

/** What keeps one method from taking a candidate (3.3). */
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
  /** Of the node, or of everything that could replace it. */
  | { readonly code: 'price.unknown'; readonly type: string }
  | { readonly code: 'label.missing'; readonly label: string }

/** What keeps a move from being made although the node may be taken (3.4, 3.7). */
export type MoveBlocker =
  | {
      readonly code: 'budget.exhausted'
      readonly pool: string
      readonly reason: DisruptionReason
      readonly allowed: number
      readonly disrupting: number
      /** Places in the pool's list of those that each allow no more. */
      readonly budgets: readonly number[]
      /** When schedules alone make it allow more. */
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
  /** Earlier moves among the pools were undone: the price is back where it was. */
  | { readonly code: 'moves.undone'; readonly pools: readonly string[]; readonly until: Milliseconds }
  | { readonly code: 'score.too-low'; readonly pool: string; readonly score: number; readonly threshold: number }

/** What the end of a node that was deleted waits for (2.2), beside the pods that must not be evicted. */
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

/** Why a node is not being disrupted, or what its termination waits for, as data. */
export type Blocker = CandidateBlocker | EligibilityBlocker | MoveBlocker | TerminationBlocker
