import { at, type Fact, without } from './fact.ts'

/** Facts about the choice of instance types, reservations, the cluster state, static NodePools, overlays and buffers. */
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
      'the time when a pod became schedulable is set once and cleared by a refusal; the health is that of the pool',
      'bound pods are not timed, and timings of deleted pods are dropped',
    ),
    at(
      'a pod’s room, ports and volumes are its node’s for as long as it is there',
      'are removed when they finish, are deleted, or another pod of the same name is bound elsewhere',
      'an unchanged node keeps its view, and a changed pod replaces only the view of its node',
    ),
    at(
      'which pods count, in whatever order events come',
      'are assigned to their node, whether the pod or the node is seen first',
      'count as waiting if kube-scheduler found no node for them',
    ),
    at(
      'node and claim may come and go in any order',
      'either object may be deleted first, and nothing remains after both are deleted',
      'an unmanaged node without a provider ID is known by its name, and later by its provider ID',
    ),
    at(
      'marks, and nominations that run out',
      'by the deletion of its claim, the termination of its instance, or a decision of Kerf',
      'by the deletion of an unmanaged Node, but not of a managed Node',
      'nominations last twice as long as the batching window',
    ),
    at(
      'who must be kept apart is found among the pods that run',
      'a group with affinity to itself in a zone ends in one zone',
      'anti-affinity works in both directions',
    ),
    at(
      'when state is complete',
      'cluster state must contain every object of the API server',
      'cluster state may contain additional objects',
      'cluster state is complete unless a claim has no instance',
      'cluster state is not complete if the API server does not respond',
      'the metrics show whether cluster state is complete',
    ),
    at(
      'the newest pod of each DaemonSet is remembered',
      'is based on the newest existing pod, even after that pod is deleted and another becomes the newest',
    ),
    at(
      'the consolidation timestamp',
      'changes with nodes, bindings, deletions and edits of pools, but not with heartbeats',
      'changes after five minutes without any other change',
    ),
    at(
      'taints that count',
      'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
    ),
    at(
      'what the nodes of a pool have together',
      'and then does not count against the limits of its pool',
      'a claim whose instance changes leaves no old entry',
      'an empty pool has zeros, and nodes count until they are being removed',
    ),
    at(
      'claims of a pool by state, and reservations of room',
      'change as each claim moves from one state to the next',
      'are granted completely, partly, or not',
    ),
    at(
      'a node counts as one of `nodes`',
      'comes from the claim for resources that the kubelet has not reported, until the node is initialized',
    ),
    at(
      'how many virtual pods a node holds',
      'launches nodes for its replicas, then counts their capacity as reserved; its pods are not nominated',
    ),
    at(
      'a claim that was deleted before it was seen does not hold up anybody',
      'a claim that was deleted before the informer showed it is dropped after fifteen seconds',
      'a claim that exists in the API server is kept, even if the informer lags for long',
    ),
    without(
      'predictions of the vertical autoscaler',
      'Upstream collects them and does not read them; Kerf does not collect them.',
    ),
  ],
  'Static capacity': [
    at(
      'filled from the template, no more and no fewer',
      'gets nodes from its template, and new nodes when some are deleted',
      'follows the scale subresource up, and down to zero',
    ),
    at(
      'the limit on nodes, also for several at once',
      'respects its node limit',
      'never let claims and reservations exceed the limit',
    ),
    at(
      'an error of the API is told and gives back what was reserved',
      'no claim may be created at the limit, and the reservations of failed creations are released',
    ),
    at(
      'pools that are somebody else’s, not ready, being deleted or not static get nothing',
      'static pools that are not ready or are being deleted get no claims',
    ),
    at(
      'which nodes go first',
      'deletes empty nodes first and protected nodes last',
      'is 1 for a pod, changed by its priority and deletion cost, within ±10',
      'shrinks with the remaining lifetime',
    ),
    at('waits for state to be complete once', 'no claim is created before cluster state has been complete once'),
  ],
  'Node overlays': [
    at(
      'without overlays types are the very same',
      'throws for pools that were not evaluated, and returns the same objects while nothing changes',
    ),
    at(
      'invalid ones are told',
      'may have requirements on pools, and need values for NotIn',
      'must not set resources that the provider knows',
    ),
    at(
      'conflicts of prices and of capacity',
      'applies only the overlay with the later name if weights are equal, even if the values are equal',
      'finds conflicts only between overlays that match the same types and change the same resource',
      'applies the heavier of two overlays to each offering',
    ),
    at(
      'applied by pool, label, type, zone and capacity type, wholly or not at all',
      'applies only to matching pools, types, zones and capacity types',
      'rejects an overlay in all pools if it conflicts in one',
    ),
    at(
      'pools that were not evaluated are refused',
      'throws for pools that were not evaluated, and returns the same objects while nothing changes',
    ),
    at(
      'labels of pools do not become labels of types',
      'requirements may refer to labels of the pool, which do not become labels of the instance type',
    ),
    at(
      'a pool that fails does not hold up the others, and recovers',
      'does not delay the other pools, and is evaluated when its types can be read',
    ),
    without(
      'memory grows with pools and types only',
      'Types are shared until an overlay changes them; the store keeps nothing else.',
    ),
    at(
      'capacity of an overlay is promised by the claim before the node shows it',
      'a pod that needs a resource from an overlay gets only one node, even if the device plugin takes long',
    ),
  ],
  'Capacity buffers': [
    at('sizes by replicas, percentage and limits', 'the size of a buffer'),
    at(
      'references that are missing, wrong, or heal',
      'reports which object is missing, and recovers when the object exists',
      'gets its size from a workload, and reports a missing workload or an unsupported kind',
    ),
    at('virtual pods', 'virtual pods have different names, and no volumes that a driver would have to create'),
    at(
      'conditions after a pass, counts per node, no nominations',
      'launches nodes for its replicas, then counts their capacity as reserved; its pods are not nominated',
    ),
  ],
}
