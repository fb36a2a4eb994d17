import type { KubeObject, Milliseconds, NodePool } from '@kerf/apis'
import type { CloudCall, NodeHealth, OfferingSelector } from '@kerf/sandbox'
import type { CloudName } from './cloud-names.ts'

export type WorkloadKind = 'Deployment' | 'StatefulSet'

/** What users do to the cluster. `pick` chooses among the objects of that time, so the action is possible in any run. */
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

/** How a call to the API server fails. `crash` ends the process within the call. */
export type CallFailure = 'conflict' | 'throttled' | 'error' | 'timeout' | 'unreachable' | 'slow' | 'crash'

/** Faults of AWS (`environment/aws/`). */
export type AwsFault =
  | {
      readonly kind: 'aws-call'
      /** As the fake names it, for instance `createFleet`. */
      readonly call: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'cut' | 'slow' | 'crash'
    }
  /** Only this many instances are left of all selected offerings together, so fleets are filled in part. */
  | {
      readonly kind: 'few-left'
      readonly selector: OfferingSelector
      readonly left: number
      readonly duration: Milliseconds
    }
  /** Fresh instances and tags are listed only this much later. */
  | { readonly kind: 'seen-late'; readonly by: Milliseconds; readonly duration: Milliseconds }
  /** Other users of the account have spent the request tokens of an action. */
  | { readonly kind: 'empty-bucket'; readonly action: string; readonly duration: Milliseconds }
  /** A message of the interruption queue, `copies` times, the first one `late` milliseconds late. */
  | {
      readonly kind: 'queue-message'
      readonly about: 'spot' | 'rebalance' | 'unknown' | 'nonsense'
      readonly pick: number
      readonly copies: number
      readonly late: Milliseconds
    }

/** Requests of Azure Resource Manager that its documented limits count together. */
export type AzureLimit = 'read' | 'write' | 'delete' | 'graph'

/** Faults of Azure (`environment/azure/`). */
export type AzureFault =
  | {
      readonly kind: 'azure-call'
      /** As the public specification names it, for instance `VirtualMachines_CreateOrUpdate`. */
      readonly operation: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** Azure accepts these VMs, and cannot make them afterwards. */
  | { readonly kind: 'vm-fails-later'; readonly selector: OfferingSelector; readonly duration: Milliseconds }
  /** Tokens that were given do not count any more. */
  | { readonly kind: 'tokens-revoked' }
  /** No token is given, and those that were given do not count any more. */
  | { readonly kind: 'identity-gone'; readonly duration: Milliseconds }
  /** Other users of the subscription have spent what the limit admits. */
  | { readonly kind: 'requests-spent'; readonly limit: AzureLimit; readonly duration: Milliseconds }
  /** The subnet has no address left. */
  | { readonly kind: 'subnet-full'; readonly duration: Milliseconds }
  /** Somebody deletes a VM, which may not be made yet. */
  | { readonly kind: 'vm-deleted'; readonly pick: number }

/** Faults of Cluster API (`environment/cluster-api/`). */
export type ClusterApiFault =
  /** The management cluster answers nothing. */
  | { readonly kind: 'management-away'; readonly duration: Milliseconds }
  | { readonly kind: 'management-watch-lost'; readonly expired: boolean }
  /** Somebody deletes a Machine. */
  | { readonly kind: 'machine-deleted'; readonly pick: number }
  /** Somebody asks for one replica more of a MachineDeployment. */
  | { readonly kind: 'deployment-scaled'; readonly pick: number }
  | { readonly kind: 'cluster-paused'; readonly duration: Milliseconds }
  /** A MachineDeployment gets another machine template. */
  | { readonly kind: 'machine-template-changed'; readonly pick: number }
  /** After `skip` Machines that were given to claims: the next `times` are, and the process ends or learns nothing of it. */
  | {
      readonly kind: 'binding-cut'
      readonly skip: number
      readonly times: number
      readonly failure: 'crash' | 'lost'
    }

/** What goes wrong. Calls are counted from `at` on: the first `skip` calls succeed, the next `times` fail. */
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
  | AzureFault
  | ClusterApiFault
  | { readonly kind: 'watch-lost'; readonly plural: string; readonly expired: boolean }
  | { readonly kind: 'watch-lag'; readonly plural: string; readonly duration: Milliseconds }
  | { readonly kind: 'outage'; readonly selector: OfferingSelector; readonly duration: Milliseconds }
  | { readonly kind: 'never-registers'; readonly count: number }
  /** Disks detach only after this duration. */
  | { readonly kind: 'slow-detach'; readonly duration: Milliseconds }
  | { readonly kind: 'instance-dies'; readonly pick: number }
  | { readonly kind: 'spot-notice'; readonly pick: number }
  | { readonly kind: 'sick-node'; readonly pick: number; readonly health: NodeHealth; readonly duration: Milliseconds }
  | { readonly kind: 'clock-jump'; readonly by: Milliseconds; readonly duration: Milliseconds }
  | { readonly kind: 'hand-over' }
  /** The leader cannot renew its Lease, and still acts. Only with several replicas. */
  | { readonly kind: 'lease-unreachable'; readonly duration: Milliseconds }
  | { readonly kind: 'second-instance'; readonly duration: Milliseconds }

/** One thing that happens. `id` names it in a shortened run: `e3` is an action, `f7` a fault. */
export type Step = { readonly id: string; readonly at: Milliseconds } & (
  | { readonly action: Action }
  | { readonly fault: Fault }
)

/** A whole simulation as data. The same run always plays the same way. */
export interface SimulatedRun {
  readonly seed: number
  readonly cloud: CloudName
  /** With two, a Lease decides which one acts. One replica acts without a Lease. */
  readonly replicas: 1 | 2
  /** What exists before the first step. */
  readonly objects: readonly KubeObject[]
  readonly pools: readonly NodePool[]
  /** In order of time. */
  readonly steps: readonly Step[]
  /** When all faults are removed and the cluster starts to recover. */
  readonly recoveredAt: Milliseconds
}
