/** A problem of the management cluster (`providers/cluster-api/docs/spec/cluster-api.md#problems`). */
export type ManagementProblemReason =
  | 'ManagementClusterUnreachable'
  | 'ManagementCredentialsRefused'
  | 'ClusterApiMissing'
  | 'ManagementPermissionMissing'
  | 'OwnClusterUnproved'
  | 'OwnClusterContradicted'
  | 'OwnClusterMissing'

export interface ManagementProblem {
  readonly reason: ManagementProblemReason
  /** A description of the problem, with the names of the affected objects. */
  readonly detail: string
  /** What to do. */
  readonly remedy: string
}

/** Returns the problem as text, for conditions, events and logs. */
export const describeManagementProblem = ({ detail, remedy }: ManagementProblem): string => `${detail}; ${remedy}`
