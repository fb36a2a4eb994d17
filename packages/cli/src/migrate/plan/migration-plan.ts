/**
 * This file defines the plan of a migration. `kerf migrate cas` writes it to `plan.yaml`, and `rehearse`, `apply` and `status` read it. A
 * plan names every object and every value, so that you can review it before anything changes.
 */

export interface ObjectRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** One step of a phase. The comment on each variant also describes its undo. */
export type PlanStep =
  /** Creates or changes the objects in a file of the folder. Undo deletes or restores them. */
  | { readonly do: 'apply'; readonly file: string }
  /** Applies a JSON merge patch. Undo restores the fields. */
  | { readonly do: 'patch'; readonly object: ObjectRef; readonly patch: Readonly<Record<string, unknown>> }
  /** Waits until every pod of the workload has the current pod template and is ready. Undo waits for the same condition. */
  | { readonly do: 'roll out'; readonly object: ObjectRef; readonly within: string }
  /** Cordons the nodes of a group. Undo uncordons them. */
  | { readonly do: 'cordon'; readonly group: string }
  /** Evicts the pods on a group's nodes as far as PodDisruptionBudgets allow. There is no undo, because the pods are rescheduled anyway. */
  | { readonly do: 'drain'; readonly group: string; readonly within: string }
  /** Waits until Cluster Autoscaler has scaled a group down to its minimum size. */
  | { readonly do: 'wait until gone'; readonly group: string; readonly within: string }
  /** Waits until Cluster Autoscaler has removed the unneeded nodes of every group that is above its minimum size. */
  | { readonly do: 'wait until given back'; readonly within: string }
  /** Waits until no pod has been pending for longer than `pendingFor`. */
  | { readonly do: 'wait until calm'; readonly pendingFor: string; readonly within: string }
  /** Asks the user to run commands that change something outside the cluster. */
  | { readonly do: 'by hand'; readonly commands: readonly string[]; readonly back: readonly string[] }

export interface PlanPhase {
  readonly phase: number
  readonly name: string
  readonly why: string
  /** The condition under which the next phase may begin. */
  readonly goOnWhen: string
  /** What undoing the phase does, in words. */
  readonly wayBack: string
  readonly steps: readonly PlanStep[]
}

/** A node group, with the labels by which its nodes can be found. */
export interface GroupNodes {
  readonly name: string
  readonly min: number
  readonly max: number
  /**
   * Labels that only the nodes of this group have. If there are none, Kerf cannot find the nodes, and the user must perform phase 6
   * manually.
   */
  readonly nodeLabels: Readonly<Record<string, string>>
  readonly instanceTypes: readonly string[]
  readonly capacityType: 'spot' | 'on-demand'
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[]
}

/** A group whose pods move. */
export interface PlanGroup extends GroupNodes {
  /** The NodePool that replaces the group. */
  readonly pool: string
}

/** A node group that the migration keeps, at a fixed size. */
export interface KeptGroup extends GroupNodes {
  readonly size: number
  readonly because: string
}

export interface MigrationPlan {
  readonly version: 1
  readonly variant: 'faithful' | 'merged'
  /** The flags of Cluster Autoscaler that a rehearsal needs. */
  readonly autoscaler: { readonly deployment?: ObjectRef; readonly flags: Readonly<Record<string, string>> }
  readonly groups: readonly PlanGroup[]
  readonly kept: readonly KeptGroup[]
  readonly phases: readonly PlanPhase[]
  /** Questions that the user must answer first. If any question is unanswered, `apply` refuses phase 2 and all later phases. */
  readonly questions: readonly { readonly object: string; readonly message: string }[]
}
