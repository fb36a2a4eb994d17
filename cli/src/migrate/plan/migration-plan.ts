/**
 * The plan of a migration, as it is written to `plan.yaml` and read again by `rehearse`, `apply` and `status`. A plan names every
 * object and every value, so that a person can read it before anything is done.
 */

export interface ObjectRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** One thing that is done, with what undoes it. */
export type PlanStep =
  /** Creates or changes the objects of a file of the folder. Undone: they are deleted, or as they were. */
  | { readonly do: 'apply'; readonly file: string }
  /** A JSON merge patch. Undone: the fields are as they were. */
  | { readonly do: 'patch'; readonly object: ObjectRef; readonly patch: Readonly<Record<string, unknown>> }
  /** Waits until all pods of the workload are of its template and ready. Undone: waited for again. */
  | { readonly do: 'roll out'; readonly object: ObjectRef; readonly within: string }
  /** Keeps new pods off the nodes of a group. Undone: they are open again. */
  | { readonly do: 'cordon'; readonly group: string }
  /** Evicts the pods of a group's nodes, one after the other as PodDisruptionBudgets allow. Not undone: pods come back by themselves. */
  | { readonly do: 'drain'; readonly group: string; readonly within: string }
  /** Waits until Cluster Autoscaler has removed the nodes of a group down to its minimum. */
  | { readonly do: 'wait until gone'; readonly group: string; readonly within: string }
  /** Waits until Cluster Autoscaler has removed the nodes that it finds unneeded, in every group that is above its minimum. */
  | { readonly do: 'wait until given back'; readonly within: string }
  /** Waits until no pod is pending for longer than that. */
  | { readonly do: 'wait until calm'; readonly pendingFor: string; readonly within: string }
  /** What only a person may do, because it is outside of the cluster. */
  | { readonly do: 'by hand'; readonly commands: readonly string[]; readonly back: readonly string[] }

export interface PlanPhase {
  readonly phase: number
  readonly name: string
  readonly why: string
  /** When the next phase may begin. */
  readonly goOnWhen: string
  /** What undo comes to, in words. */
  readonly wayBack: string
  readonly steps: readonly PlanStep[]
}

/** A node group, and how its nodes are told from others. */
export interface GroupNodes {
  readonly name: string
  readonly min: number
  readonly max: number
  /** All of these labels are on its nodes and on no others. Empty: they cannot be told, and phase 6 is by hand. */
  readonly nodeLabels: Readonly<Record<string, string>>
  readonly instanceTypes: readonly string[]
  readonly capacityType: 'spot' | 'on-demand'
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[]
}

/** A group whose pods move. */
export interface PlanGroup extends GroupNodes {
  /** The NodePool that takes its place. */
  readonly pool: string
}

/** A group that stays, with a size that nobody changes. */
export interface KeptGroup extends GroupNodes {
  readonly size: number
  readonly because: string
}

export interface MigrationPlan {
  readonly version: 1
  readonly variant: 'faithful' | 'merged'
  /** Flags of Cluster Autoscaler that a rehearsal needs, as they were read. */
  readonly autoscaler: { readonly deployment?: ObjectRef; readonly flags: Readonly<Record<string, string>> }
  readonly groups: readonly PlanGroup[]
  readonly kept: readonly KeptGroup[]
  readonly phases: readonly PlanPhase[]
  /** What a person has to decide first. `apply` does nothing while there is any. */
  readonly questions: readonly { readonly object: string; readonly message: string }[]
}
