import { groupVersion } from '@kerf/apis'
import { type ClusterAPINodeClass, clusterApiNodeClassKind } from '../node-class/cluster-api-node-class.ts'

/** Returns a node class that selects by these labels, or by the member label if none are given, for callers without a class. */
export const makeNodeClass = (matchLabels: Readonly<Record<string, string>> | undefined): ClusterAPINodeClass => ({
  apiVersion: groupVersion(clusterApiNodeClassKind),
  kind: clusterApiNodeClassKind.kind,
  metadata: { name: 'default' },
  spec: matchLabels === undefined ? {} : { scalableResourceSelector: { matchLabels } },
})
