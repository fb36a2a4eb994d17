import type { KubeObject, NodePool } from '@kerf/apis'
import type { Milliseconds } from '@kerf/runtime'
import type { CloudCall, NodeHealth, OfferingSelector } from '@kerf/sandbox'

export type WorkloadKind = 'Deployment' | 'StatefulSet'

/** What people do to the cluster. `pick` chooses among what is there then, so that the event holds in any course. */
export type Action =
  | { readonly kind: 'apply'; readonly object: KubeObject }
  | { readonly kind: 'scale'; readonly workload: WorkloadKind; readonly name: string; readonly replicas: number }
  | { readonly kind: 'delete-workload'; readonly name: string }
  | { readonly kind: 'delete-node'; readonly pick: number }
  | { readonly kind: 'delete-claim'; readonly pick: number }
  | { readonly kind: 'delete-pod'; readonly pick: number }
  | { readonly kind: 'cordon'; readonly pick: number }
  | { readonly kind: 'change-pool'; readonly name: string; readonly spec: object }
  | { readonly kind: 'change-pdb'; readonly name: string; readonly spec: object }

/** An answer of the API server that is no success; `crash` ends the process instead. */
export type CallFailure = 'conflict' | 'throttled' | 'error' | 'timeout' | 'unreachable' | 'slow' | 'crash'

/** What goes wrong on AWS alone (`world/aws/`). */
export type AwsFault =
  | {
      readonly kind: 'aws-call'
      /** By the name that the fake has for it, for instance `createFleet`. */
      readonly call: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'cut' | 'slow' | 'crash'
    }
  /** Of the offerings that are meant only so many are left, all together: fleets are filled in part. */
  | {
      readonly kind: 'few-left'
      readonly selector: OfferingSelector
      readonly left: number
      readonly duration: Milliseconds
    }
  /** Fresh instances and tags show only so much later. */
  | { readonly kind: 'seen-late'; readonly by: Milliseconds; readonly duration: Milliseconds }
  /** Others of the account use an action up. */
  | { readonly kind: 'empty-bucket'; readonly action: string; readonly duration: Milliseconds }
  /** A message of the interruption queue, so many times, the first so late. */
  | {
      readonly kind: 'queue-message'
      readonly about: 'spot' | 'rebalance' | 'unknown' | 'nonsense'
      readonly pick: number
      readonly copies: number
      readonly late: Milliseconds
    }

/** What goes wrong. Calls are counted from `at` on: `skip` go well first, then `times` do not. */
export type Fault =
  | {
      readonly kind: 'call'
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: CallFailure
      readonly writes: boolean
    }
  | {
      readonly kind: 'cloud'
      readonly verb: CloudCall['verb']
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'crash'
    }
  | AwsFault
  | { readonly kind: 'watch-lost'; readonly plural: string; readonly expired: boolean }
  | { readonly kind: 'watch-lag'; readonly plural: string; readonly duration: Milliseconds }
  | { readonly kind: 'outage'; readonly selector: OfferingSelector; readonly duration: Milliseconds }
  | { readonly kind: 'never-registers'; readonly count: number }
  /** Disks that are being taken off come off only afterwards. */
  | { readonly kind: 'slow-detach'; readonly duration: Milliseconds }
  | { readonly kind: 'instance-dies'; readonly pick: number }
  | { readonly kind: 'spot-notice'; readonly pick: number }
  | { readonly kind: 'sick-node'; readonly pick: number; readonly health: NodeHealth; readonly duration: Milliseconds }
  | { readonly kind: 'clock-jump'; readonly by: Milliseconds; readonly duration: Milliseconds }
  | { readonly kind: 'hand-over' }
  /** The leader cannot renew its Lease, and acts on: only where there are several replicas. */
  | { readonly kind: 'lease-unreachable'; readonly duration: Milliseconds }
  | { readonly kind: 'second-instance'; readonly duration: Milliseconds }

/** One thing that happens. `id` names it in a shortened course: `e3`, `f7`. */
export type Step = { readonly id: string; readonly at: Milliseconds } & (
  | { readonly action: Action }
  | { readonly fault: Fault }
)

/** A whole simulation as data: the same course always takes the same way. */
export interface SimulatedRun {
  readonly seed: number
  readonly cloud: 'kwok' | 'machines' | 'aws'
  /** With two, a Lease decides who acts; one acts without asking. */
  readonly replicas: 1 | 2
  /** What is there before anything happens. */
  readonly objects: readonly KubeObject[]
  readonly pools: readonly NodePool[]
  /** In order of time. */
  readonly steps: readonly Step[]
  /** When the last trouble is over and everything is put right. */
  readonly recoveredAt: Milliseconds
}
