import { at, type Fact, without } from './fact.ts'

/** Provisioning: which pods get which nodes, and what a NodeClaim holds. */
export const provisioningSections: Readonly<Record<string, readonly Fact[]>> = {
  General: [
    'one pod gets one node, many pods all get a place',
    'pools that are being deleted, or no pool, place nobody',
    'selectors of the usual labels, and affinity to the same',
    'requests for a device pick the types that have it; few pods per type make many nodes',
    'the claim keeps the hash that its pool had when it was planned',
    'sidecars, init containers and pod-level requests choose the size',
    'a deleting node’s pods and those that wait share one new node',
    at(
      'pods without a pool that may launch get a decision all the same',
      'if no pool may launch, the event of the pod says why for each pool',
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
  Limits: [
    'nodes above them stop the pool, nodes within do not',
    'two spread pods of 1.5 cpu under a limit of 3 get one node',
    'a pod larger than the limit gets nothing',
    'of devices and of pods, by the capacity of the machines',
    'a second round counts the nodes of the first',
    'two nodes stop the third, in one round or in several',
  ],
  Daemons: [
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
      'is the real one without its host affinity, with the node affinity of the template',
    ),
  ],
  'Claim content': [
    'annotations and labels of the template, and none from well-known requirements',
    'taints hold for who does not tolerate them',
    'what it asks for, restricted by pool and pod',
    'class, requests with the daemons’ once',
    at(
      'the pool owns it, and its hash is that of the plan',
      'gives ten waiting pods a node, and reports it by claim, event, metric and decision',
    ),
  ],
  Volumes: [
    'an unknown claim stops its pod, and no other',
    'no storage class, or one that is gone, matters only to claims that are not bound',
    'an unbound claim binds the pod to the zones of its class, an ephemeral one too',
    'a bound claim binds it to the zone of its volume, whatever the class says',
    'the host of a local disk does not count, that of any other volume does',
    'the zone of a volume is never relaxed away',
  ],
  Preferences: [
    'alternatives go one by one, the last never',
    'all go if they must, the heaviest first',
    'soft taints are tolerated after all wishes for places are given up',
    'preferred zones and hosts do not change what a spread compares with',
    'none has an effect when they are to be ignored',
  ],
  'Several pools': [
    'the one that is named, by name or by label',
    'one without a soft taint before one with, else the heaviest; what is named beats weight',
    'static ones launch nothing for pods, others do beside them',
  ],
  'MinValues policy': [
    'Strict launches nothing that misses them',
    'BestEffort lowers them to what there is, and says so',
    'the heavier pool is relaxed before the lighter is asked',
  ],
  Batching: [
    at('one pod is planned for after the idle time', 'one pod closes the window after the idle time'),
    at(
      'the same pod again does not extend the window, another does',
      'the same pod again does not extend the window, another pod does',
    ),
  ],
  Constraints: [
    'selectors, needs and wishes on nodes of a pool',
    'labels that pods may not ask for',
    'operators on a label of one’s own',
    'pods that agree share a node, others do not',
    'a pool that is not ready launches nothing',
  ],
  'Instance compatibility': [
    'nothing that is too large, and no impossible combination',
    'pods of another kind get a node of their own',
    'types are ruled out by the pod’s affinity and by the pool',
    'labels of the provider, also those that only some types have',
  ],
  'Bin packing': [
    'small pods get a small node, larger ones a larger',
    'the overhead of the class of the pod counts',
    'two large pods to a node, small ones fill the gaps',
    'pods of unlike sizes at most need unlike nodes',
    'nothing of an unknown resource fits, something does not',
    'five pods to a node make five nodes of 25',
    'init containers count for the size, and for refusal',
    'the choice is a type that fits, whatever is cheap',
  ],
  'In-flight': [
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
  'Existing nodes': [
    'a node of nobody takes one pod and many',
    'where no node fits a new one does',
    'only daemons that can run on the node keep room there',
    at('initialized nodes come first', 'initialized nodes come first'),
  ],
  'No pre-binding': [
    'the same pods again find the nodes that are coming for them',
    'affinity to oneself holds before anything is bound',
    at(
      'what the kubelet reports as nothing is taken from the claim',
      'comes from the claim where the kubelet has not reported it, until the node is initialized',
    ),
  ],
  'Volume usage': [
    'a driver’s limit sends further pods elsewhere, a shared claim counts once',
    'a volume without a driver counts for none',
    'several zones of a volume, several terms of a class, are alternatives',
    'branches that contradict one another are pruned',
    'ephemeral volumes by class, by default class, by the newest default class',
    'what cannot be provisioned gets no node',
    'a missing class of pods that run breaks nothing',
    'drivers of old count as those that took over from them',
  ],
  'Reserved capacity': [
    'a claim holds what it might use; the others wait for the next round',
    'pools share a reservation, or each has its own',
    'two reservations of one and two instances on one type serve four pods in three rounds',
    'no lighter pool, and no wish given up, while the heavier pool’s reservation would do',
    'several pods share a reserved node',
  ],
  Other: [
    'a pool that leaves itself no type launches nothing, nodes that are there serve',
    'pods that claim devices are refused, others and daemons are not',
    'only offerings that bring a device have it, and only while they can be had',
  ],
  'Deleting nodes': [
    at('which pods want another place', 'is reschedulable when its node is deleted'),
    at(
      'not those that a budget holds for ever',
      'a pod is blocked by',
      'several budgets, whatever they say: the eviction API refuses',
    ),
  ],
  Metrics: [
    at(
      'unschedulable pods, durations, decisions',
      'a pod that fits nowhere gets the reason in an event, once',
      'have series for their state and waiting times',
    ),
    at('the histogram of decisions takes each acknowledged pod once', 'only the first decision about a pod is timed'),
    without(
      'the depth of the queue while a decision is made',
      'A decision is one synchronous call that no scrape can fall into; the series is set and removed around it (`scheduler-metrics.ts`).',
    ),
    without(
      'pending pods by effective zone',
      'The series `karpenter_scheduler_pending_pods_by_effective_zone_count` is not published: nobody has asked for it.',
    ),
  ],
}
