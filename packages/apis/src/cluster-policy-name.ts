/** The name of the only ClusterPolicy that Kerf reads. In a file of its own, because the CRD makes the dashboard's bundle larger. */
export const CLUSTER_POLICY = 'default'
