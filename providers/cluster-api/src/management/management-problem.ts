/** What may be wrong with the management cluster (`docs/spec/cluster-api.md#problems`). */
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
  /** What is wrong, with the names of the objects concerned. */
  readonly detail: string
  /** What to do. */
  readonly remedy: string
}

/** The problem in words, for conditions, events and logs. */
export const describeManagementProblem = ({ detail, remedy }: ManagementProblem): string => `${detail}; ${remedy}`
