import { noVocabulary, type ProviderVocabulary } from '@kerf/apis'

/** Keys of labels and annotations that the KWOK provider sets on objects (`providers/kwok/docs/spec/kwok.md`). */

/** The API group of KWOKNodeClass, and the domain of the provider's labels. */
export const KWOK_GROUP = 'karpenter.kwok.sh'

/** Labels that distinguish instance types. They are well-known labels of this provider. */
export const INSTANCE_SIZE_LABEL = `${KWOK_GROUP}/instance-size`
export const INSTANCE_FAMILY_LABEL = `${KWOK_GROUP}/instance-family`
export const INSTANCE_CPU_LABEL = `${KWOK_GROUP}/instance-cpu`
export const INSTANCE_MEMORY_LABEL = `${KWOK_GROUP}/instance-memory`

/** The label that contains the KWOKNodeClass of a NodeClaim and its Node. */
export const NODE_CLASS_LABEL = `${KWOK_GROUP}/kwoknodeclass`

/** The labels of this provider, in addition to those of the core and those that distinguish its instance types. */
export const kwokVocabulary: ProviderVocabulary = {
  ...noVocabulary,
  restrictedDomains: [KWOK_GROUP],
  unrestricted: [NODE_CLASS_LABEL],
  wellKnown: [INSTANCE_SIZE_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_CPU_LABEL, INSTANCE_MEMORY_LABEL],
}

/** The label and annotation of simulated Nodes. Users and simulators select Nodes with it. */
export const FAKE_NODE_KEY = 'kwok.x-k8s.io/node'
/** The label that says which kwok simulator manages the Node. Its value is `a`, for the simulator of partition `a`. */
export const PARTITION_LABEL = 'kwok-partition'
/** The label from which eks-node-viewer reads the price. */
export const PRICE_LABEL = 'eks-node-viewer/instance-price'

/** Annotations with the uid and the name of a Node's NodeClaim. They are set when the Node is created. */
export const NODE_CLAIM_UID_ANNOTATION = `${KWOK_GROUP}/nodeclaim-uid`
export const NODE_CLAIM_ANNOTATION = `${KWOK_GROUP}/nodeclaim`
/** When the termination of the Node's instance began, in RFC 3339. */
export const TERMINATING_SINCE_ANNOTATION = `${KWOK_GROUP}/terminating-since`

/** A pod with this label set to `unhealthy` never becomes Ready. */
export const POD_STAGE_LABEL = 'kwok.x-k8s.io/stage'
/** How long a deleted pod takes to stop, as a duration. The default is 0. */
export const POD_DELETE_DELAY_ANNOTATION = 'pod-delete.stage.kwok.x-k8s.io/delay'

export const PROVIDER_ID_PREFIX = 'kwok://'

/** The value `stopped` on a Node means that its simulated kubelet does nothing, as after a crash. */
export const KUBELET_ANNOTATION = `${KWOK_GROUP}/kubelet`
