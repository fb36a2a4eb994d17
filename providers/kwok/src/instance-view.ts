import {
  formatResources,
  formatTime,
  labels as labelKeys,
  type Milliseconds,
  type Node,
  type NodeClaim,
  parseTime,
} from '@kerf/apis'
import { type InstanceView, offeringAllocatable, offeringCapacity } from '@kerf/provider-contract'
import { instanceOwner, type LaunchOption, launchedLabels, textAmounts } from '@kerf/provider-kit'
import {
  FAKE_NODE_KEY,
  NODE_CLAIM_ANNOTATION,
  NODE_CLAIM_UID_ANNOTATION,
  NODE_CLASS_LABEL,
  PARTITION_LABEL,
  PRICE_LABEL,
  PROVIDER_ID_PREFIX,
  TERMINATING_SINCE_ANNOTATION,
} from './labels.ts'
import { nodeNameFor } from './launch-choice.ts'

/** Returns the owner of an instance: the NodeClaim, and the NodePool in the labels. */
const ownedBy = ({ metadata }: NodeClaim, labels: Readonly<Record<string, string>>) =>
  instanceOwner({ claim: metadata.name, uid: metadata.uid ?? '', pool: labels[labelKeys.nodePool] })

/** Returns the instance that is created if the NodeClaim is launched with this option (`providers/kwok/docs/spec/kwok.md#behaviour`). */
export const launchedView = (claim: NodeClaim, option: LaunchOption, now: Milliseconds): InstanceView => {
  const { type, offering } = option
  const labels = {
    ...launchedLabels(claim, option),
    [NODE_CLASS_LABEL]: claim.spec.nodeClassRef.name,
    ...(offering.price === undefined ? {} : { [PRICE_LABEL]: offering.price.toFixed(6) }),
    [PARTITION_LABEL]: 'a',
    [labelKeys.hostname]: claim.metadata.name,
    [FAKE_NODE_KEY]: 'fake',
  }
  return {
    providerID: `${PROVIDER_ID_PREFIX}${nodeNameFor(claim)}`,
    ...ownedBy(claim, labels),
    labels,
    annotations: { [FAKE_NODE_KEY]: 'fake' },
    capacity: formatResources(offeringCapacity(type, offering)),
    allocatable: formatResources(offeringAllocatable(type, offering)),
    createdAt: formatTime(now),
  }
}

/** Returns the instance of a Node. */
export const nodeView = (node: Node): InstanceView => {
  const labels = node.metadata.labels ?? {}
  const annotations = node.metadata.annotations ?? {}
  const claim = annotations[NODE_CLAIM_ANNOTATION] ?? labels[labelKeys.hostname]
  const terminating = annotations[TERMINATING_SINCE_ANNOTATION]
  return {
    providerID: node.spec.providerID ?? '',
    ...instanceOwner({ claim, uid: annotations[NODE_CLAIM_UID_ANNOTATION], pool: labels[labelKeys.nodePool] }),
    labels,
    annotations: { [FAKE_NODE_KEY]: 'fake' },
    capacity: textAmounts(node.status?.capacity),
    allocatable: textAmounts(node.status?.allocatable),
    ...(node.metadata.creationTimestamp === undefined ? {} : { createdAt: node.metadata.creationTimestamp }),
    ...(terminating === undefined ? {} : { deletionTimestamp: terminating }),
  }
}

/** Returns the instance of a launched NodeClaim whose Node does not exist yet. */
export const bootingView = (claim: NodeClaim): InstanceView => {
  const labels = claim.metadata.labels ?? {}
  const created = claimLaunchTime(claim) ?? claim.metadata.creationTimestamp
  return {
    providerID: claim.status?.providerID ?? '',
    ...ownedBy(claim, labels),
    labels,
    annotations: { [FAKE_NODE_KEY]: 'fake' },
    capacity: textAmounts(claim.status?.capacity),
    allocatable: textAmounts(claim.status?.allocatable),
    ...(created === undefined ? {} : { createdAt: created }),
  }
}

const claimLaunchTime = (claim: NodeClaim): string | undefined =>
  claim.status?.conditions?.find(({ type, status }) => type === 'Launched' && status === 'True')?.lastTransitionTime

/** Returns when the NodeClaim was launched. */
export const launchedAt = (claim: NodeClaim): Milliseconds | undefined => parseTime(claimLaunchTime(claim))
