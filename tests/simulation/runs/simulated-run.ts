import type { KubeObject, Milliseconds, NodePool } from '@kerf/apis'
import type { CloudCall, NodeHealth, OfferingSelector } from '@kerf/sandbox'
import type { ExpectedPods } from './expected-pods.ts'

/** The name of a simulated cloud, as in `--cloud`. */
export type CloudName = string

export type WorkloadKind = 'Deployment' | 'StatefulSet'

/** A user's action. `pick` selects one of the objects that exist at that time, so the action is possible in any run. */
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
  | { readonly kind: 'change-policy'; readonly spec: object }
  /** Sets the label with which NodePoolPolicies select the namespace `default`. */
  | { readonly kind: 'label-namespace'; readonly value: string }

/** How a call to the API server fails. `crash` kills the process during the call. */
export type CallFailure = 'conflict' | 'throttled' | 'error' | 'timeout' | 'unreachable' | 'slow' | 'crash'

/** A fault that only one cloud can have. The cloud's provider declares the kinds and injects the fault. */
export interface OwnFault {
  readonly kind: string
}

/** A fault. Calls are counted from the time of the step: the first `skip` calls succeed, and the next `times` calls fail. */
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
  | { readonly kind: 'watch-lost'; readonly plural: string; readonly expired: boolean }
  | { readonly kind: 'watch-lag'; readonly plural: string; readonly duration: Milliseconds }
  | { readonly kind: 'outage'; readonly selector: OfferingSelector; readonly duration: Milliseconds }
  | { readonly kind: 'never-registers'; readonly count: number }
  /** Delays the detachment of disks. */
  | { readonly kind: 'slow-detach'; readonly duration: Milliseconds }
  | { readonly kind: 'instance-dies'; readonly pick: number }
  | { readonly kind: 'spot-notice'; readonly pick: number }
  | { readonly kind: 'sick-node'; readonly pick: number; readonly health: NodeHealth; readonly duration: Milliseconds }
  | { readonly kind: 'clock-jump'; readonly by: Milliseconds; readonly duration: Milliseconds }
  | { readonly kind: 'hand-over' }
  /** The leader cannot renew its Lease, but its other calls succeed. This fault occurs only in runs with several replicas. */
  | { readonly kind: 'lease-unreachable'; readonly duration: Milliseconds }
  | { readonly kind: 'second-instance'; readonly duration: Milliseconds }

/** The content of a step: an action of a user, a fault that every cloud can have, or a fault that only the run's cloud can have. */
export type StepContent = { readonly action: Action } | { readonly fault: Fault } | { readonly own: OwnFault }

/** Returns the action or the fault of a step. */
export const stepAction = (content: StepContent): Action | Fault | OwnFault => {
  if ('action' in content) return content.action
  return 'fault' in content ? content.fault : content.own
}

/** A step of a run. `id` identifies it in a shortened run: `e3` is an action, `f7` is a fault, `p0` creates or changes a policy. */
export type Step = { readonly id: string; readonly at: Milliseconds } & StepContent

/** A whole simulation as data. Every execution of the same run is identical. */
export interface SimulatedRun {
  readonly seed: number
  readonly cloud: CloudName
  /** The number of Kerf replicas. With two, a Lease determines which one is active. One replica runs without a Lease. */
  readonly replicas: 1 | 2
  /** Present if Kerf plans for pods that do not exist yet (`PLAN_EXPECTED_PODS`). */
  readonly expectedPods?: ExpectedPods
  /** The objects that exist before the first step. */
  readonly objects: readonly KubeObject[]
  readonly pools: readonly NodePool[]
  /** The steps in order of time. */
  readonly steps: readonly Step[]
  /** The time at which all faults are removed and the cluster starts to recover. */
  readonly recoveredAt: Milliseconds
}
