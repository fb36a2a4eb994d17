import { apiVersionOf, type ClusterAPINodeClass, karpenterKinds } from '@kerf/apis'

/** Returns a class that selects by these labels, or by the member label if none are given, for callers without a class. */
export const nodeClassOf = (matchLabels: Readonly<Record<string, string>> | undefined): ClusterAPINodeClass => ({
  apiVersion: apiVersionOf(karpenterKinds.ClusterAPINodeClass),
  kind: karpenterKinds.ClusterAPINodeClass.kind,
  metadata: { name: 'default' },
  spec: matchLabels === undefined ? {} : { scalableResourceSelector: { matchLabels } },
})
