import { type AKSNodeClass, aksNodeClassResource, apiVersionOf, conditionSets, karpenterKinds } from '@kerf/apis'
import type { KnownProvider, NodeClassDescriptor } from '@kerf/provider-contract'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
import { recognisedNodes } from './recognised-nodes.ts'
import { locationOfObjects, offlineLocations, USUAL_LOCATION } from './regions.ts'

const aksNodeClass: NodeClassDescriptor<AKSNodeClass> = {
  resource: aksNodeClassResource,
  conditions: conditionSets.AKSNodeClass,
  hash: { version: NODE_CLASS_HASH_VERSION, of: (nodeClass) => nodeClassHash(nodeClass) },
  // Images follow the version of Kubernetes and the maintenance window, not a field of the class.
  selectors: [],
  unhashed: ['tags'],
  example: {
    apiVersion: apiVersionOf(karpenterKinds.AKSNodeClass),
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec: { imageFamily: 'Ubuntu' },
  },
}

/** AKS, as far as Kerf knows it without launching there. */
export const azure: KnownProvider = {
  name: 'azure',
  title: 'Azure',
  nodeClasses: [aksNodeClass],
  instanceTypes: {
    description: "Azure's VM sizes in 57 locations with on-demand prices as published",
    load: async () => (await import('./instance-type/region-offer.ts')).regionOffer(USUAL_LOCATION).types(),
    regions: {
      names: offlineLocations,
      usual: USUAL_LOCATION,
      of: locationOfObjects,
      open: async (region) => (await import('./instance-type/region-offer.ts')).regionOffer(region),
      read: async () => undefined,
    },
    nodes: recognisedNodes,
  },
}
