import { at, type Fact, without } from './fact.ts'

const DEVICES =
  'Devices are not allocated: a pod that claims some is refused with that reason, with and without `--ignore-dra-requests` (7.5 Other). What exists is waiting for a node’s device pools before it counts as initialised.'

/**
 * The facts of section 7 of the scheduling spec, one for each line there, in our words. A text alone is the title of a test in
 * this folder, after the section and a colon.
 */
export const sections: Readonly<Record<string, readonly Fact[]>> = {
  '7.1': [
    'intersection of every two operators is the intersection of their sets',
    'intersections worth a line of their own',
    'minValues of either side stays, the larger of two, on empty results too',
    'which values each operator has',
    'operator and length of each',
    'any value is one that the requirement has',
    'each as text',
    'as it is written, bounds become Gte and Lte, minValues stays',
    'Gte and Lte',
    'old names of labels mean the new ones, wherever they stand',
  ],
  '7.2': [
    'may a node with the left take the right',
    'an old name on one side and the new one on the other are the same label',
    'an unknown label gets the hint that fits',
    'a set as NodeClaims carry it, sorted, with minValues, bounds as two entries',
  ],
  '7.3': [
    'host ports clash by port, protocol and address',
    'huge pages are taken out of memory, which never falls below nothing',
    'offerings with overrides make allocatable amounts of their own',
    'pools go by weight, then by name from the end of the alphabet',
    'requests of a pod',
    'requests while a pod is resized',
    'the largest and the smallest of lists of resources',
    'taints that count on a pool are those of its template',
    at(
      'ephemeral and readiness taints are known by key and effect',
      'ephemeral taints go by key and effect, readiness ones by their prefix',
    ),
    at('price adjustments in per cent, by an amount, or to an amount, never below nothing', '%d after %s is %d'),
    at(
      'errors of the provider keep their kind when they are wrapped, and name it in metrics',
      'a create error keeps the claim, with its reason and message, until it works',
    ),
    without(
      'copies of dynamic resources do not share anything',
      'Snapshots and catalogues are never changed after they were handed out, so nothing is copied; edge 66 plans with frozen types.',
    ),
    at(
      'the pod that a DaemonSet would run is made of its template; limits stand in for missing requests',
      'is made from the template when there is none: limits stand in for requests that are missing',
    ),
    at(
      'a claim is found by provider ID, and by nothing else',
      'a managed node is ignored until it can be joined to its claim',
      'a claim counts once it has an instance, under its own name until the node is registered',
    ),
    at(
      'pods that want another place: not daemons, not those that have ended',
      'wants another place when its node goes',
    ),
    at(
      'disruption budgets that never allow anything, two on a pod, and unhealthy pods',
      'a pod is held by',
      'several, whatever they say: the eviction API refuses',
      'none when it is unhealthy and may leave so',
    ),
    at('do-not-disrupt: absent, for ever, for a time, past, invalid', 'do-not-disrupt', 'protects only pods that live'),
    at(
      'pods that claim devices are recognised',
      'devices may be asked for by the pod, a container or an init container',
    ),
    at(
      'concurrency and request rate grow with the cores',
      'from %i to %i at %i millicores is %i',
      'the rate grows with it',
    ),
  ],
  '7.4 General': [
    'one pod gets one node, many pods all get a place',
    'pools that are being deleted, or no pool, place nobody',
    'selectors of the usual labels, and affinity to the same',
    'requests for a device pick the types that have it; few pods per type make many nodes',
    'the claim keeps the hash that its pool had when it was planned',
    'sidecars, init containers and pod-level requests choose the size',
    'a deleting node’s pods and those that wait share one new node',
    at(
      'pods without a pool that may launch get a decision all the same',
      'without a pool that may launch, the pod is told what stands in the way of each',
    ),
    at(
      'the time since a pod could be scheduled by a healthy pool follows the pool',
      'schedulable is set once and cleared by a refusal; healthy follows the pool',
    ),
    without(
      'a global default of terminationGracePeriod',
      'No provider of ours sets one; the field is the pool’s alone.',
    ),
  ],
  '7.4 Limits': [
    'nodes above them stop the pool, nodes within do not',
    'two spread pods of 1.5 cpu under a limit of 3 get one node',
    'a pod larger than the limit gets nothing',
    'of devices and of pods, by the capacity of the machines',
    'a second round counts the nodes of the first',
    'two nodes stop the third, in one round or in several',
  ],
  '7.4 Daemons': [
    'what they take makes the node larger, too much of it leaves none',
    'a host port of theirs is taken wherever they run',
    'startup taints do not keep them away',
    'init containers and missing requests count as they should',
    'those that never run on the pool are ignored, those that do are counted',
    'each type by itself',
    'any alternative of their affinity will do, preferences are ignored, soft taints tolerated',
    'a port that is taken on large types alone leaves the small ones',
    at(
      'the real pod counts, without its pin to a host and with the template’s affinity',
      'is the real one, without the host it is pinned to, with the template’s own affinity',
    ),
  ],
  '7.4 Claim content': [
    'annotations and labels of the template, and none from well-known requirements',
    'taints hold for who does not tolerate them',
    'what it asks for, restricted by pool and pod',
    'class, requests with the daemons’ once',
    at(
      'the pool owns it, and its hash is that of the plan',
      'gives ten waiting pods a node, told by claim, event, metric and decision',
    ),
  ],
  '7.4 Volumes': [
    'an unknown claim stops its pod, and no other',
    'no storage class, or one that is gone, matters only to claims that are not bound',
    'an unbound claim binds the pod to the zones of its class, an ephemeral one too',
    'a bound claim binds it to the zone of its volume, whatever the class says',
    'the host of a local disk does not count, that of any other volume does',
    'the zone of a volume is never relaxed away',
  ],
  '7.4 Preferences': [
    'alternatives go one by one, the last never',
    'all go if they must, the heaviest first',
    'soft taints are tolerated after all wishes for places are given up',
    'preferred zones and hosts do not change what a spread compares with',
    'none has an effect when they are to be ignored',
  ],
  '7.4 Several pools': [
    'the one that is named, by name or by label',
    'one without a soft taint before one with, else the heaviest; what is named beats weight',
    'static ones launch nothing for pods, others do beside them',
  ],
  '7.4 MinValues policy': [
    'Strict launches nothing that misses them',
    'BestEffort lowers them to what there is, and says so',
    'the heavier pool is relaxed before the lighter is asked',
  ],
  '7.4 Batching': [
    at('one pod is planned for after the idle time', 'one pod closes the window after the idle time'),
    at(
      'the same pod again does not extend the window, another does',
      'the same pod again does not extend the window, another one does',
    ),
  ],
  '7.5 Constraints': [
    'selectors, needs and wishes on nodes of a pool',
    'labels that pods may not ask for',
    'operators on a label of one’s own',
    'pods that agree share a node, others do not',
    'a pool that is not ready launches nothing',
  ],
  '7.5 Instance compatibility': [
    'nothing that is too large, and no impossible combination',
    'pods of another kind get a node of their own',
    'types are ruled out by the pod’s affinity and by the pool',
    'labels of the provider, also those that only some types have',
  ],
  '7.5 Bin packing': [
    'small pods get a small node, larger ones a larger',
    'the overhead of the class of the pod counts',
    'two large pods to a node, small ones fill the gaps',
    'pods of unlike sizes at most need unlike nodes',
    'nothing of an unknown resource fits, something does not',
    'five pods to a node make five nodes of 25',
    'init containers count for the size, and for refusal',
    'the choice is a type that fits, whatever is cheap',
  ],
  '7.5 In-flight': [
    'a second pod joins the node that is on its way if it fits and agrees',
    'spread counts nodes that are on their way',
    'a taint that the node shows keeps pods away',
    'what daemons will still take is kept for them, what took more than it should is no credit',
    'daemons that wait for a registered or initialized node are counted before and after',
    'what is there is filled before anything is launched, initialized nodes first',
    'pods of a kind that fits nowhere do not keep others from their node',
    'equal host ports go to different nodes',
    at(
      'which taints of a node that is coming up are hidden, and until when',
      'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
    ),
  ],
  '7.5 Existing': [
    'a node of nobody takes one pod and many',
    'where no node fits a new one does',
    'only daemons that can run on the node keep room there',
    at('initialized nodes come first', '46: initialised nodes come first'),
  ],
  '7.5 No pre-binding': [
    'the same pods again find the nodes that are coming for them',
    'affinity to oneself holds before anything is bound',
    at(
      'what the kubelet reports as nothing is taken from the claim',
      'the claim fills in what the kubelet has not reported, until the node is initialized',
    ),
  ],
  '7.5 Volume usage': [
    'a driver’s limit sends further pods elsewhere, a shared claim counts once',
    'a volume without a driver counts for none',
    'several zones of a volume, several terms of a class, are alternatives',
    'branches that contradict one another are pruned',
    'ephemeral volumes by class, by default class, by the newest default class',
    'what cannot be provisioned gets no node',
    'a missing class of pods that run breaks nothing',
    'drivers of old count as those that took over from them',
  ],
  '7.5 Reserved': [
    'a claim holds what it might use; the others wait for the next round',
    'pools share a reservation, or each has its own',
    'two reservations of one and two instances on one type serve four pods in three rounds',
    'no lighter pool, and no wish given up, while the heavier pool’s reservation would do',
    'several pods share a reserved node',
  ],
  '7.5 Other': [
    'a pool that leaves itself no type launches nothing, nodes that are there serve',
    'pods that claim devices are refused, others and daemons are not',
    'only offerings that bring a device have it, and only while they can be had',
  ],
  '7.5 Deleting nodes': [
    at('which pods want another place', 'wants another place when its node goes'),
    at(
      'not those that a budget holds for ever',
      'a pod is held by',
      'several, whatever they say: the eviction API refuses',
    ),
  ],
  '7.5 Metrics': [
    at(
      'unschedulable pods, durations, decisions',
      'a pod that fits nowhere learns why, once',
      'show where they are and how long they waited',
    ),
    at(
      'the histogram of decisions takes each acknowledged pod once',
      'the first decision is timed once, whatever follows',
    ),
    without(
      'the depth of the queue while a decision is made',
      'A decision is one synchronous call that no scrape can fall into; the series is set and removed around it (`scheduler-metrics.ts`).',
    ),
    without(
      'pending pods by effective zone',
      'The series `karpenter_scheduler_pending_pods_by_effective_zone_count` is not published: nobody has asked for it.',
    ),
  ],
  '7.6': [
    'a label that nobody has stops its pod and no other; without a selector nothing is counted',
    'matchLabelKeys compare pods of one revision; keys that the pod lacks do not count',
    'a volume of one zone and minDomains 3 over three zones',
  ],
  '7.6 Zonal': [
    'four pods over three zones, by labels or by expressions',
    'a pool that is limited to zones, by requirement, by label or by both, and several pools',
    'zones that only nodes tell of count too',
    'a skew of five, and one zone that can be had',
    'zones that emptied are filled first',
    'a zone out of reach holds the others at the skew',
    'pods that do not count',
    'a selector of others does not hold its pod',
    'minDomains holds every zone at the skew until there are enough',
  ],
  '7.6 Hostname': [
    'one to a node, or as many as the skew',
    'workloads of their own share nodes, unless their machines differ',
  ],
  '7.6 Capacity type': [
    'spread over both, within the pool',
    'what runs holds the other type at the skew, unless it is only a wish',
    'affinity to a type narrows what is compared, none compares all; so does arch',
    'pods that do not count are left out here too',
  ],
  '7.6 Combined': [
    'zone at skew 1 and host at skew 3, wave after wave',
    'a label of one’s own over two pools',
    'a third zone that no node can be had in, beside a wish for hosts',
    'capacity type and host',
    'zone and capacity type',
    'zone, capacity type and host keep their skews together',
  ],
  '7.6 Policies': [
    'tainted nodes count unless taints are honoured',
    'so do tainted pools',
    'pools that exclude one another and share a domain',
    'nodes that the pod does not select count only when its affinity is ignored',
  ],
  '7.6 Node affinity with spread': [
    'pods pinned to a zone each',
    'two zones, then all',
    'a wish for zones does not hold',
    'capacity types by selector, then opened',
  ],
  '7.6 Affinity': [
    'empty terms are no terms',
    'to the node of another pod; to its arch on a node of one’s own',
    'to oneself on a host is one node, as far as it goes',
    'to oneself on a host, elsewhere than the pods that run',
    'to oneself in a zone is one zone, also a given one',
    'groups of their own go to the zones that they select',
    'wishes, to be near or away, may be given up',
    'away from a pod’s host, in whatever order they come',
    'away from pods in all zones there is no place, nor from one whose zone is not known',
    'away from a pod of the batch, whose zone is pinned at once',
    'who wants nobody near keeps others away, who only wishes it does not',
    'a need comes before a wish',
    'to nobody there is no place',
    'followers go with their leader in the same decision, pinned or not',
    'replicas away from each other get all zones in one decision, and no more',
    'where types sell a zone only as spot',
    'chains are followed to their end, whatever the order; impossible ones fail whole',
    'counts pods of its own namespace, of those it lists, or of those it selects',
  ],
  '7.6 Taints': [
    'those of the pool keep out who does not tolerate them, startup taints nobody',
    'a toleration of everything makes no taints',
  ],
  '7.6 Default constraints': [
    'hold for zone and host when the pod has none of its own',
    'one’s own replace them all',
    'minDomains, and what cannot be met, hold as if they were the pod’s',
    'without any, or without owner and service, nothing changes',
    'count the pods that run',
    'workloads, and revisions of one, spread by themselves',
    'a service is enough to know whom to count',
  ],
  '7.7': [
    'whom the owner counts',
    'whom services count',
    'selectors are found for each set of labels and each namespace by itself',
    'what is injected changes no pod, and keeps the fields of the default',
  ],
  '7.8': [
    'the cheapest machine, whoever asks for what',
    'what nobody sells',
    'every cell of a grid of cpu and memory gets a machine with enough of both',
    'a cheap on-demand machine comes before a dear spot one',
    'minValues',
  ],
  '7.9': [
    'reservations',
    at('random sequences never give out more than there is', 'never let claims and reservations exceed the limit'),
    without(
      'asking for or giving back what does not exist is a programming error',
      'There is nothing to ask wrongly: the engine takes reservation ids from the catalogue it plans with and nowhere else.',
    ),
  ],
  '7.10': [
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
      'F1: a group that wants to be in one zone ends in one zone',
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
  '7.11': [
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
      'edge 145: a limit that is reached grants nothing; what a failed creation had reserved is given back',
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
    at('waits for state to be complete once', 'edge 146: nothing is created before state was complete once'),
  ],
  '7.12': [
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
      'edge 133: labels of the pool may be asked for, and never become the type’s',
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
  '7.13': [
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
  '7.14': [without('which devices allocated claims hold', DEVICES)],
  '7.15': [
    without('pods and devices end to end', DEVICES),
    at(
      'nodes whose device pools are not complete are not initialised',
      'a node is initialised once every driver has a complete pool at its newest generation',
      'nothing is waited for when requests are ignored',
    ),
  ],
  '7.16': [without('the allocator: pools, requests, constraints, counters, capacity', DEVICES)],
}
