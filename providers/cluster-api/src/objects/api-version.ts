/** Versions of Cluster API's objects that Kerf reads, the preferred one first (`docs/spec/cluster-api.md#api-versions`). */
export const CLUSTER_API_VERSIONS = ['v1beta2', 'v1beta1'] as const

export type ClusterApiVersion = (typeof CLUSTER_API_VERSIONS)[number]

/** What `GET /apis/cluster.x-k8s.io` answers, as far as it is read. */
export interface ApiGroup {
  readonly versions: readonly { readonly version: string }[]
}

/**
 * The version to talk to a management cluster in. `undefined` when it serves neither: its Cluster API is older than 1.0,
 * newer than this program, or not there.
 */
export const clusterApiVersionOf = (group: ApiGroup): ClusterApiVersion | undefined =>
  CLUSTER_API_VERSIONS.find((known) => group.versions.some(({ version }) => version === known))
