import { groupVersion } from '@kerf/apis'
import { type ClusterAPINodeClass, clusterApiNodeClassKind } from '../node-class/cluster-api-node-class.ts'

/** Returns a node class for callers that have none. It selects by the given labels, or by the member label if no labels are given. */
export const makeNodeClass = (matchLabels: Readonly<Record<string, string>> | undefined): ClusterAPINodeClass => ({
  apiVersion: groupVersion(clusterApiNodeClassKind),
  kind: clusterApiNodeClassKind.kind,
  metadata: { name: 'default' },
  spec: matchLabels === undefined ? {} : { scalableResourceSelector: { matchLabels } },
})
