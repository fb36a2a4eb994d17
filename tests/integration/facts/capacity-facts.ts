import { at, type Fact, without } from './fact.ts'

/** Facts about the choice of instance types, reservations, the cluster state, static pools, overlays and buffers. */
export const capacitySections: Readonly<Record<string, readonly Fact[]>> = {
  'Instance selection': [
    'the cheapest instance type for any combination of requirements',
    'combinations without an offering',
    'every combination of cpu and memory gets an instance type with enough of both',
    'a cheap on-demand offering comes before an expensive spot offering',
    'minValues',
  ],
  Reservations: [
    'reservations',
    at('random sequences never give out more than there is', 'never let claims and reservations exceed the limit'),
    without(
      'asking for or giving back what does not exist is a programming error',
      'There is nothing to ask wrongly: the engine takes reservation ids from the catalogue it plans with and nowhere else.',
    ),
  ],
  'Cluster state': [
    at(
      'times of pods',
      'only the first decision about a pod is timed',
      'schedulable is set once and cleared by a refusal; healthy follows the pool',
      'bound pods are not timed, and deleted pods are forgotten',
    ),
    at(
      'a pod’s room, ports and volumes are its node’s for as long as it is there',
      'are removed when they end, are deleted, or when another pod with their name is bound elsewhere',
      'an unchanged node keeps its view; a change of a pod renews only the view of its node',
    ),
    at(
      'which pods count, in whatever order events come',
      'are assigned to their node, whichever is seen first',
      'are waiting if kube-scheduler found no node for them',
    ),
    at(
      'node and claim may come and go in any order',
      'either object may be deleted first; nothing is left after both are deleted',
      'an unmanaged node without provider ID is known by its name, and later by its ID',
    ),
    at(
      'marks, and nominations that run out',
      'by deletion of the claim, termination of its instance, or our own decision',
      'deletion of a managed Node does not count, deletion of an unmanaged Node does',
      'nominations last twice the batch window',
    ),
    at(
      'who must be kept apart is found among the pods that run',
      'a group with affinity to itself in a zone ends in one zone',
      'anti-affinity works in both directions',
    ),
    at(
      'when state is complete',
      'every object of the API server must be known',
      'additional objects may be known',
      'only claims without an instance count',
      'without an answer of the API server the state is not synced',
      'the metrics show the state',
    ),
    at(
      'the newest pod of each DaemonSet is remembered',
      'the newest real pod is used, also after the newest one is deleted',
    ),
    at(
      'the consolidation timestamp',
      'moves with nodes, bindings, deletions and pool edits, not with heartbeats',
      'moves after five minutes without a change',
    ),
    at(
      'taints that count',
      'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
    ),
    at(
      'what the nodes of a pool have together',
      'a node marked for deletion does not count against its pool',
      'a claim that changes its instance leaves no old entry',
      'an empty pool has zeros; nodes count until they are leaving',
    ),
    at(
      'claims of a pool by state, and reservations of room',
      'follow each claim from one state to the next',
      'are granted in full, in part, or not',
    ),
    at(
      'a node counts as one of `nodes`',
      'comes from the claim where the kubelet has not reported it, until the node is initialized',
    ),
    at(
      'how many virtual pods a node holds',
      'launches nodes for its replicas, then finds capacity on them; its pods are not nominated',
    ),
    at(
      'a claim that was deleted before it was seen does not hold up anybody',
      'a claim that was deleted before any informer saw it is forgotten after fifteen seconds',
      'a claim that exists in the API server is kept, however long the informer lags',
    ),
    without(
      'predictions of the vertical autoscaler',
      'Upstream collects them and does not read them; Kerf does not collect them.',
    ),
  ],
  'Static capacity': [
    at(
      'filled from the template, no more and no fewer',
      'is filled from its template, and refilled',
      'follows the scale subresource up, and down to zero',
    ),
    at(
      'the limit on nodes, also for several at once',
      'respects its node limit',
      'never let claims and reservations exceed the limit',
    ),
    at(
      'an error of the API is told and gives back what was reserved',
      'at the limit nothing is granted; reservations of failed creations are released',
    ),
    at(
      'pools that are somebody else’s, not ready, being deleted or not static get nothing',
      'static pools that are not ready or are being deleted get nothing',
    ),
    at(
      'which nodes go first',
      'deletes empty nodes first and protected nodes last',
      'for a pod: 1, more for priority and deletion cost, within ±10',
      'shrinks with the remaining lifetime',
    ),
    at('waits for state to be complete once', 'nothing is created before the state was complete once'),
  ],
  'Node overlays': [
    at(
      'without overlays types are the very same',
      'refuses pools that were not evaluated, and returns the same objects while nothing changes',
    ),
    at('invalid ones are told', 'may speak of pools, need values for NotIn', 'may not give what the provider knows'),
    at(
      'conflicts of prices and of capacity',
      'with equal weight the overlay with the later name is applied and the other is not, even with equal values',
      'disjoint overlays and other resources do not conflict, the same resource does',
      'with different weights the heavier overlay wins for each offering',
    ),
    at(
      'applied by pool, label, type, zone and capacity type, wholly or not at all',
      'applies by pool, type, zone and capacity type only',
      'a conflict in one pool rejects the overlay in all',
    ),
    at(
      'pools that were not evaluated are refused',
      'refuses pools that were not evaluated, and returns the same objects while nothing changes',
    ),
    at(
      'labels of pools do not become labels of types',
      'labels of the pool may be requirements, and never become labels of the type',
    ),
    at(
      'a pool that fails does not hold up the others, and recovers',
      'does not delay the others, and is evaluated once they can',
    ),
    without(
      'memory grows with pools and types only',
      'Types are shared until an overlay changes them; the store keeps nothing else.',
    ),
    at(
      'capacity of an overlay is promised by the claim before the node shows it',
      'a pod that waits for overlaid capacity gets one node, however long its device plugin takes',
    ),
  ],
  'Capacity buffers': [
    at('sizes by replicas, percentage and limits', 'the size of a buffer'),
    at(
      'references that are missing, wrong, or heal',
      'reports what is missing, and recovers when it appears',
      'gets its size from a workload, and reports a missing workload or a wrong kind',
    ),
    at('virtual pods', 'virtual pods have different names, and no volumes that would have to be provisioned'),
    at(
      'conditions after a pass, counts per node, no nominations',
      'launches nodes for its replicas, then finds capacity on them; its pods are not nominated',
    ),
  ],
}
