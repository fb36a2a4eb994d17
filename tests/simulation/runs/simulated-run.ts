import type { KubeObject, Milliseconds, NodePool } from '@kerf/apis'
import type { CloudCall, NodeHealth, OfferingSelector } from '@kerf/sandbox'
import type { CloudName } from './cloud-names.ts'

export type WorkloadKind = 'Deployment' | 'StatefulSet'

/** An action of a user. `pick` chooses among the objects that exist at that time, so the action is possible in any run. */
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
      /** The name of the call in the fake, for example `createFleet`. */
      readonly call: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'cut' | 'slow' | 'crash'
    }
  /** All selected offerings together have only this many instances left, so fleets are partly filled. */
  | {
      readonly kind: 'few-left'
      readonly selector: OfferingSelector
      readonly left: number
      readonly duration: Milliseconds
    }
  /** EC2 lists fresh instances and tags with this delay. */
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
      /** The name of the operation in the public specification, for example `VirtualMachines_CreateOrUpdate`. */
      readonly operation: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** Azure accepts these VMs, and then fails to create them. */
  | { readonly kind: 'vm-fails-later'; readonly selector: OfferingSelector; readonly duration: Milliseconds }
  /** Azure rejects tokens that it issued earlier. */
  | { readonly kind: 'tokens-revoked' }
  /** Azure issues no token, and rejects tokens that it issued earlier. */
  | { readonly kind: 'identity-gone'; readonly duration: Milliseconds }
  /** Other users of the subscription have used up the request limit. */
  | { readonly kind: 'requests-spent'; readonly limit: AzureLimit; readonly duration: Milliseconds }
  /** The subnet has no free address. */
  | { readonly kind: 'subnet-full'; readonly duration: Milliseconds }
  /** Somebody deletes a VM, which Azure may not have created yet. */
  | { readonly kind: 'vm-deleted'; readonly pick: number }

/** Faults of Cluster API (`environment/cluster-api/`). */
export type ClusterApiFault =
  /** The management cluster does not respond. */
  | { readonly kind: 'management-away'; readonly duration: Milliseconds }
  | { readonly kind: 'management-watch-lost'; readonly expired: boolean }
  /** Somebody deletes a Machine. */
  | { readonly kind: 'machine-deleted'; readonly pick: number }
  /** Somebody adds a replica to a MachineDeployment. */
  | { readonly kind: 'deployment-scaled'; readonly pick: number }
  | { readonly kind: 'cluster-paused'; readonly duration: Milliseconds }
  /** A MachineDeployment gets a different machine template. */
  | { readonly kind: 'machine-template-changed'; readonly pick: number }
  /** After `skip` bindings of Machines: the next `times` bindings take effect, but the process crashes or loses the answer. */
  | {
      readonly kind: 'binding-cut'
      readonly skip: number
      readonly times: number
      readonly failure: 'crash' | 'lost'
    }

/** A fault. Calls are counted from `at` on: the first `skip` calls succeed, the next `times` fail. */
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
  /** The delay until disks detach. */
  | { readonly kind: 'slow-detach'; readonly duration: Milliseconds }
  | { readonly kind: 'instance-dies'; readonly pick: number }
  | { readonly kind: 'spot-notice'; readonly pick: number }
  | { readonly kind: 'sick-node'; readonly pick: number; readonly health: NodeHealth; readonly duration: Milliseconds }
  | { readonly kind: 'clock-jump'; readonly by: Milliseconds; readonly duration: Milliseconds }
  | { readonly kind: 'hand-over' }
  /** The leader cannot renew its Lease, but still acts. Only with several replicas. */
  | { readonly kind: 'lease-unreachable'; readonly duration: Milliseconds }
  | { readonly kind: 'second-instance'; readonly duration: Milliseconds }

/** An action or a fault. `id` names it in a shortened run: `e3` is an action, `f7` a fault. */
export type Step = { readonly id: string; readonly at: Milliseconds } & (
  | { readonly action: Action }
  | { readonly fault: Fault }
)

/** A whole simulation as data. The same run always plays the same way. */
export interface SimulatedRun {
  readonly seed: number
  readonly cloud: CloudName
  /** The number of Kerf replicas. With two, a Lease decides which one acts. One replica acts without a Lease. */
  readonly replicas: 1 | 2
  /** The objects that exist before the first step. */
  readonly objects: readonly KubeObject[]
  readonly pools: readonly NodePool[]
  /** The steps in order of time. */
  readonly steps: readonly Step[]
  /** The time when all faults are removed and the cluster starts to recover. */
  readonly recoveredAt: Milliseconds
}
