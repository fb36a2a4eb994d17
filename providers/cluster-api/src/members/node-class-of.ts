import { apiVersionOf, type ClusterAPINodeClass, karpenterKinds } from '@kerf/apis'

/** A class that selects by these labels, or by the member label where none are given; for whoever reads without a class at hand. */
export const nodeClassOf = (matchLabels: Readonly<Record<string, string>> | undefined): ClusterAPINodeClass => ({
  apiVersion: apiVersionOf(karpenterKinds.ClusterAPINodeClass),
  kind: karpenterKinds.ClusterAPINodeClass.kind,
  metadata: { name: 'default' },
  spec: matchLabels === undefined ? {} : { scalableResourceSelector: { matchLabels } },
})
