import { noVocabulary, type ProviderVocabulary } from '@kerf/apis'

/** Names that the KWOK provider puts on objects (`docs/spec/kwok.md`). */

/** The API group of KWOKNodeClass and the domain of the provider's labels. */
export const KWOK_GROUP = 'karpenter.kwok.sh'

/** Labels that tell instance types apart; they join the well-known set. */
export const INSTANCE_SIZE_LABEL = `${KWOK_GROUP}/instance-size`
export const INSTANCE_FAMILY_LABEL = `${KWOK_GROUP}/instance-family`
export const INSTANCE_CPU_LABEL = `${KWOK_GROUP}/instance-cpu`
export const INSTANCE_MEMORY_LABEL = `${KWOK_GROUP}/instance-memory`

/** Names the KWOKNodeClass of a NodeClaim and its Node. */
export const NODE_CLASS_LABEL = `${KWOK_GROUP}/kwoknodeclass`

/** What this provider adds to the labels that core knows, besides those that its instance types differ in. */
export const kwokVocabulary: ProviderVocabulary = {
  ...noVocabulary,
  restrictedDomains: [KWOK_GROUP],
  unrestricted: [NODE_CLASS_LABEL],
  wellKnown: [INSTANCE_SIZE_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_CPU_LABEL, INSTANCE_MEMORY_LABEL],
}

/** Label and annotation that mark a Node as simulated, for people and for simulators that select Nodes by one of them. */
export const FAKE_NODE_KEY = 'kwok.x-k8s.io/node'
/** Which kwok simulator looks after the Node: the one installed for partition `a`. */
export const PARTITION_LABEL = 'kwok-partition'
/** What eks-node-viewer reads the price from. */
export const PRICE_LABEL = 'eks-node-viewer/instance-price'

/** Ownership, on the Node from birth: the NodeClaim it was launched for, by uid and by name. */
export const NODE_CLAIM_UID_ANNOTATION = `${KWOK_GROUP}/nodeclaim-uid`
export const NODE_CLAIM_ANNOTATION = `${KWOK_GROUP}/nodeclaim`
/** Since when the instance behind the Node is going away, RFC 3339. */
export const TERMINATING_SINCE_ANNOTATION = `${KWOK_GROUP}/terminating-since`

/** A pod with this label set to `unhealthy` never becomes Ready. */
export const POD_STAGE_LABEL = 'kwok.x-k8s.io/stage'
/** How long a deleted pod takes to stop, as a duration; without it, no time. */
export const POD_DELETE_DELAY_ANNOTATION = 'pod-delete.stage.kwok.x-k8s.io/delay'

export const PROVIDER_ID_PREFIX = 'kwok://'

/** On a Node, set to `stopped`: its simulated kubelet does nothing, as if it had crashed. */
export const KUBELET_ANNOTATION = `${KWOK_GROUP}/kubelet`
