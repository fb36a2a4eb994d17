import { labels, ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'
import { parseProviderId, providerId } from './names.ts'

/** How Kerf recognises Proxmox nodes. Only Karpenter sets a capacity type. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => parseProviderId(providerID) !== undefined,
  exampleProviderId: providerId({ region: 'home', vmid: 20_000 }),
  capacityTypeOf: (own) => (ownValue(own, labels.capacityType) === undefined ? undefined : own[labels.capacityType]),
  groupOf: () => undefined,
}
