import { type Milliseconds, type Node, type NodeClaim, parseTime, taints } from '@kerf/apis'
import {
  FAKE_NODE_KEY,
  NODE_CLAIM_ANNOTATION,
  NODE_CLAIM_UID_ANNOTATION,
  NODE_CLASS_LABEL,
  PROVIDER_ID_PREFIX,
  TERMINATING_SINCE_ANNOTATION,
} from './labels.ts'

/** Returns the Node that the instance of a launched NodeClaim registers. It is not ready and has the unregistered taint. */
export const nodeOfClaim = (claim: NodeClaim, providerID: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: instanceNodeName(providerID),
    labels: { ...claim.metadata.labels },
    annotations: {
      ...claim.metadata.annotations,
      [FAKE_NODE_KEY]: 'fake',
      [NODE_CLAIM_ANNOTATION]: claim.metadata.name,
      [NODE_CLAIM_UID_ANNOTATION]: claim.metadata.uid ?? '',
    },
  },
  spec: { providerID, taints: [taints.unregistered] },
  status: {
    capacity: claim.status?.capacity ?? {},
    allocatable: claim.status?.allocatable ?? {},
    phase: 'Pending',
  },
})

export const instanceNodeName = (providerID: string): string => providerID.slice(PROVIDER_ID_PREFIX.length)

/** Returns whether the provider ID has this provider's format. */
export const isProviderID = (providerID: string | undefined): providerID is string =>
  providerID?.startsWith(PROVIDER_ID_PREFIX) === true && providerID.length > PROVIDER_ID_PREFIX.length

/** Returns whether the Node is an instance of this cluster's Kerf, or of the Karpenter that Kerf has replaced. */
export const isOwnNode = (node: Node): boolean =>
  isProviderID(node.spec.providerID) &&
  instanceNodeName(node.spec.providerID) === node.metadata.name &&
  (node.metadata.annotations?.[NODE_CLAIM_UID_ANNOTATION] !== undefined ||
    node.metadata.labels?.[NODE_CLASS_LABEL] !== undefined)

/** Returns when the termination of the instance began, or undefined if it has not begun. */
export const terminatingSince = (node: Node): Milliseconds | undefined =>
  parseTime(node.metadata.annotations?.[TERMINATING_SINCE_ANNOTATION])
