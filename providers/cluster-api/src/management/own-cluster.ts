import type { Node } from '@kerf/apis'
import type { Machine } from '../objects/machine.ts'
import type { NamespacedName } from './management-cluster.ts'

/**
 * The result of determining which Cluster in the management cluster is the cluster that Kerf manages
 * (`providers/cluster-api/docs/spec/cluster-api.md#own-cluster`).
 */
export type OwnClusterFinding =
  | { readonly kind: 'proved'; readonly cluster: NamespacedName }
  /** No Machine has the provider ID of a Node in the cluster that Kerf manages. */
  | { readonly kind: 'unproved'; readonly nodes: number; readonly machines: number }
  /** Machines of several Clusters have provider IDs of Nodes in the cluster that Kerf manages. */
  | { readonly kind: 'contradicted'; readonly clusters: readonly NamespacedName[] }

/**
 * Determines which Cluster is our own by comparing the provider IDs of the Nodes in this cluster with those of the Machines in the
 * management cluster. The infrastructure assigns both, so Kerf does not depend on names. A management cluster may contain Machines of many
 * Clusters, and scaling the wrong one would create Nodes in another cluster.
 */
export const findOwnCluster = (nodes: Iterable<Node>, machines: readonly Machine[]): OwnClusterFinding => {
  const ids = new Set<string>()
  for (const { spec } of nodes) if (spec.providerID !== undefined && spec.providerID !== '') ids.add(spec.providerID)
  const found = new Map<string, NamespacedName>()
  for (const { providerId, clusterName: name, namespace } of machines) {
    if (providerId !== undefined && name !== '' && ids.has(providerId))
      found.set(`${namespace}/${name}`, { namespace, name })
  }
  const [cluster, ...others] = [...found.keys()].sort().flatMap((key) => found.get(key) ?? [])
  if (cluster === undefined) return { kind: 'unproved', nodes: ids.size, machines: machines.length }
  return others.length === 0 ? { kind: 'proved', cluster } : { kind: 'contradicted', clusters: [cluster, ...others] }
}
