import { noVocabulary, type ProviderVocabulary } from '@kerf/apis'

/** Keys of the labels and annotations that the KWOK provider sets on objects (`providers/kwok/docs/spec/kwok.md`). */

/** The API group of KWOKNodeClass, and the domain of the provider's labels. */
export const KWOK_GROUP = 'karpenter.kwok.sh'

/** Labels that distinguish instance types. They are well-known labels of this provider. */
export const INSTANCE_SIZE_LABEL = `${KWOK_GROUP}/instance-size`
export const INSTANCE_FAMILY_LABEL = `${KWOK_GROUP}/instance-family`
export const INSTANCE_CPU_LABEL = `${KWOK_GROUP}/instance-cpu`
export const INSTANCE_MEMORY_LABEL = `${KWOK_GROUP}/instance-memory`

/** The label with the name of the KWOKNodeClass, on NodeClaims and their Nodes. */
export const NODE_CLASS_LABEL = `${KWOK_GROUP}/kwoknodeclass`

/** The labels of this provider, in addition to those of the core and those that distinguish its instance types. */
export const kwokVocabulary: ProviderVocabulary = {
  ...noVocabulary,
  restrictedDomains: [KWOK_GROUP],
  unrestricted: [NODE_CLASS_LABEL],
  wellKnown: [INSTANCE_SIZE_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_CPU_LABEL, INSTANCE_MEMORY_LABEL],
}

/** The label and annotation of simulated Nodes. Users and simulators select simulated Nodes with it. */
export const FAKE_NODE_KEY = 'kwok.x-k8s.io/node'
/** The label that assigns the Node to a kwok simulator. The value `a` selects the simulator of partition `a`. */
export const PARTITION_LABEL = 'kwok-partition'
/** The label from which eks-node-viewer reads the price. */
export const PRICE_LABEL = 'eks-node-viewer/instance-price'

/** Annotations with the uid and the name of a Node's NodeClaim, which are set when the Node is created. */
export const NODE_CLAIM_UID_ANNOTATION = `${KWOK_GROUP}/nodeclaim-uid`
export const NODE_CLAIM_ANNOTATION = `${KWOK_GROUP}/nodeclaim`
/** The annotation with the RFC 3339 time at which the termination of the Node's instance began. */
export const TERMINATING_SINCE_ANNOTATION = `${KWOK_GROUP}/terminating-since`

/** The label of pods whose value `unhealthy` prevents the pod from becoming Ready. */
export const POD_STAGE_LABEL = 'kwok.x-k8s.io/stage'
/** The annotation with the time that a deleted pod takes to stop, as a duration. Default 0. */
export const POD_DELETE_DELAY_ANNOTATION = 'pod-delete.stage.kwok.x-k8s.io/delay'

export const PROVIDER_ID_PREFIX = 'kwok://'

/** The annotation of Nodes whose value `stopped` makes the simulated kubelet do nothing, as after a crash. */
export const KUBELET_ANNOTATION = `${KWOK_GROUP}/kubelet`
