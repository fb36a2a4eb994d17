import { at, type Fact, without } from './fact.ts'

/** Choice of instance types, reservations, the mirror of the cluster, static pools, overlays and buffers. */
export const capacitySections: Readonly<Record<string, readonly Fact[]>> = {
  'Instance selection': [
    'the cheapest machine, whoever asks for what',
    'what nobody sells',
    'every cell of a grid of cpu and memory gets a machine with enough of both',
    'a cheap on-demand machine comes before a dear spot one',
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
      'the first decision is timed once, whatever follows',
      'schedulable is set once and cleared by a refusal; healthy follows the pool',
      'bound pods are left alone, deleted ones forgotten',
    ),
    at(
      'a pod’s room, ports and volumes are its node’s for as long as it is there',
      'leave with their end, with deletion, and when the name is bound elsewhere',
      'an unchanged node keeps its view; a change of a pod renews that node’s alone',
    ),
    at(
      'which pods count, in whatever order events come',
      'are with their node, whichever is seen first',
      'that wait are those kube-scheduler gave up on',
    ),
    at(
      'node and claim may come and go in any order',
      'either may go first; both gone leaves nothing',
      'an unmanaged node without provider ID is known by its name, and by the ID once it has one',
    ),
    at(
      'marks, and nominations that run out',
      'by the claim’s deletion, its instance’s termination, or our own decision',
      'a managed node’s own deletion does not count, an unmanaged one’s does',
      'nominations last twice the batch window',
    ),
    at(
      'who must be kept apart is found among the pods that run',
      'a group that wants to be in one zone ends in one zone',
      'who must not be with others is kept away by them too',
    ),
    at(
      'when state is complete',
      'everything that the API has must be known',
      'more may be known than the API has',
      'only claims without an instance count',
      'an API that does not answer means no',
      'the metrics say how it stands',
    ),
    at(
      'the newest pod of each DaemonSet is remembered',
      'the newest real pod is remembered, also when the newest goes',
    ),
    at(
      'the consolidation timestamp',
      'moves with nodes, bindings, deletions and pool edits, not with heartbeats',
      'moves by itself after five minutes',
    ),
    at(
      'taints that count',
      'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
    ),
    at(
      'what the nodes of a pool have together',
      'what goes no longer counts against its pool',
      'a claim that changes its instance leaves nothing behind',
      'an empty pool counts zeroes; nodes count until they are on their way out',
    ),
    at(
      'claims of a pool by state, and reservations of room',
      'follow each claim from one state to the next',
      'are granted in full, in part, or not',
    ),
    at(
      'a node counts as one of `nodes`',
      'the claim fills in what the kubelet has not reported, until the node is initialized',
    ),
    at(
      'how many virtual pods a node holds',
      'launches nodes for its pieces, then finds room on them; its pods nominate nothing',
    ),
    at(
      'a claim that was deleted before it was seen does not hold up anybody',
      'a claim that was deleted before anybody saw it is forgotten after fifteen seconds',
      'one that the API does have is kept, however long the informer lags',
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
      'follows the scale subresource up and down to nothing',
    ),
    at(
      'the limit on nodes, also for several at once',
      'keeps to its node limit',
      'never let claims and reservations exceed the limit',
    ),
    at(
      'an error of the API is told and gives back what was reserved',
      'a limit that is reached grants nothing; what a failed creation had reserved is given back',
    ),
    at(
      'pools that are somebody else’s, not ready, being deleted or not static get nothing',
      'static pools that are not ready or going get nothing',
    ),
    at(
      'which nodes go first',
      'gives up empty nodes first and protected ones last',
      'of a pod: 1, more for priority and deletion cost, within ±10',
      'shrinks with the life that is left',
    ),
    at('waits for state to be complete once', 'nothing is created before state was complete once'),
  ],
  'Node overlays': [
    at(
      'without overlays types are the very same',
      'refuses pools that were not evaluated, and answers the same objects while nothing changes',
    ),
    at('invalid ones are told', 'may speak of pools, need values for NotIn', 'may not give what the provider knows'),
    at(
      'conflicts of prices and of capacity',
      'of equal weight the later name is applied whole and the other not at all, even with equal values',
      'disjoint overlays and other resources do not conflict, the same resource does',
      'of different weights the heavier wins, offering by offering',
    ),
    at(
      'applied by pool, label, type, zone and capacity type, wholly or not at all',
      'applies by pool, type, zone and capacity type, and to nothing else',
      'a conflict in one pool rejects the overlay in all',
    ),
    at(
      'pools that were not evaluated are refused',
      'refuses pools that were not evaluated, and answers the same objects while nothing changes',
    ),
    at(
      'labels of pools do not become labels of types',
      'labels of the pool may be asked for, and never become the type’s',
    ),
    at(
      'a pool that fails does not hold up the others, and recovers',
      'does not hold up the others, and is served once they can',
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
      'tells what it cannot find, and heals when it appears',
      'measures itself by a workload, whose absence and kind it tells',
    ),
    at('virtual pods', 'virtual pods are told apart, and want nothing that would have to be provisioned'),
    at(
      'conditions after a pass, counts per node, no nominations',
      'launches nodes for its pieces, then finds room on them; its pods nominate nothing',
    ),
  ],
}
