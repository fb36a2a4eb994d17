import {
  formatTime,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type Pod,
  type Seconds,
} from '@kerf/apis'
import type { CoreEvent } from '../../core-event.ts'
import { eventObject } from '../../event-object.ts'

/** Events about draining and terminating nodes (`docs/spec/events.md#core-events`). */

export const terminationGracePeriodExpiring = (
  subject: { readonly node: Node } | { readonly claim: NodeClaim },
  deadline: Milliseconds,
): CoreEvent => ({
  object:
    'node' in subject ? eventObject(kinds.Node, subject.node) : eventObject(karpenterKinds.NodeClaim, subject.claim),
  type: 'Warning',
  reason: 'TerminationGracePeriodExpiring',
  message: `All pods will be deleted by ${formatTime(deadline)}`,
  dedupeValues: [('node' in subject ? subject.node : subject.claim).metadata.name],
})

/**
 * Returns the Event that explains why a node is not drained yet. `aspect` is part of the dedupe key. Upstream's key is only the node name,
 * so a message about waiting pods suppresses the message about the PodDisruptionBudget that blocks them.
 */
export const failedDraining = (node: Node, why: string, aspect: 'waiting' | 'budget' | 'deadline'): CoreEvent => ({
  object: eventObject(kinds.Node, node),
  type: 'Warning',
  reason: 'FailedDraining',
  message: `Failed to drain node, ${why}`,
  dedupeValues: [node.metadata.name, aspect],
})

const LISTED_ATTACHMENTS = 5

export const awaitingVolumeDetachment = (node: Node, attachments: readonly string[]): CoreEvent => {
  const more = attachments.length - LISTED_ATTACHMENTS
  const names = attachments.slice(0, LISTED_ATTACHMENTS).join(', ')
  return {
    object: eventObject(kinds.Node, node),
    type: 'Normal',
    reason: 'AwaitingVolumeDetachment',
    message: `Awaiting deletion of bound volumeattachments (${names}${more > 0 ? ` and ${more} others` : ''})`,
    dedupeValues: [node.metadata.name],
  }
}

export const evicted = (pod: Pod, reason: string): CoreEvent => ({
  object: eventObject(kinds.Pod, pod),
  type: 'Normal',
  reason: 'Evicted',
  message: `Evicted pod: ${reason}`,
  dedupeValues: [pod.metadata.uid ?? ''],
})

export const disrupted = (pod: Pod, deadline: Milliseconds, granted: Seconds): CoreEvent => {
  const own = pod.spec.terminationGracePeriodSeconds
  return {
    object: eventObject(kinds.Pod, pod),
    type: 'Normal',
    reason: 'Disrupted',
    message: `Deleting the pod to accommodate the terminationTime ${formatTime(deadline)} of the node. The pod was granted ${granted} seconds of grace-period of its ${own ?? 'unset'} terminationGracePeriodSeconds. This bypasses the PDB of the pod and the do-not-disrupt annotation.`,
    dedupeValues: [pod.metadata.uid ?? ''],
  }
}
