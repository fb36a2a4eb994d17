/**
 * The versions of Cluster API's objects that Kerf supports, the preferred one first (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`).
 */
export const CLUSTER_API_VERSIONS = ['v1beta2', 'v1beta1'] as const

export type ClusterApiVersion = (typeof CLUSTER_API_VERSIONS)[number]

/** The fields of `GET /apis/cluster.x-k8s.io` that are used. */
export interface ApiGroup {
  readonly versions: readonly { readonly version: string }[]
}

/**
 * Returns the version to use with a management cluster. Returns `undefined` if the cluster serves no usable version: its Cluster API is
 * older than 1.0, newer than this program, or not installed.
 */
export const parseClusterApiVersion = (group: ApiGroup): ClusterApiVersion | undefined =>
  CLUSTER_API_VERSIONS.find((known) => group.versions.some(({ version }) => version === known))
