import { at, type Fact, without } from './fact.ts'

/** Facts about provisioning: which pods get which nodes, and what a NodeClaim contains. */
export const provisioningSections: Readonly<Record<string, readonly Fact[]>> = {
  General: [
    'one pod gets one node, and many pods are all placed',
    'without a pool, or with only deleting pools, no pod is placed',
    'selectors and affinity with well-known labels',
    'requests for a device select the instance types that have it; types that allow few pods lead to many nodes',
    'the claim keeps the hash that its pool had when the claim was planned',
    'sidecars, init containers and pod-level requests determine the size',
    'pods of a deleting node and pending pods share one new node',
    at(
      'pods without a pool that may launch get a decision all the same',
      'if no pool can launch nodes, the Event on the pod says why for each pool',
    ),
    at(
      'the time since a pod could be scheduled by a healthy pool follows the pool',
      'the time when a pod became schedulable is set once and cleared by a refusal; the health is that of the pool',
    ),
    without(
      'a global default of terminationGracePeriod',
      'No provider of ours sets one; the field is the pool’s alone.',
    ),
  ],
  Limits: [
    'if nodes exceed the limit, the pool launches no more; if they are below it, the pool does',
    'two spread pods of 1.5 cpu under a limit of 3 get one node',
    'a pod that needs more than the limit is not placed',
    'limits of devices and of pods count the capacity of nodes',
    'a second decision counts the nodes of the first',
    'with a limit of two nodes, no third node is launched, in one decision or in several',
  ],
  Daemons: [
    'their requests need a larger node; if they are too large, no node is possible',
    'their host ports are in use on every node where they run',
    'startup taints do not keep them away',
    'init containers and missing requests are counted correctly',
    'daemons that cannot run in the pool are ignored, the others are counted',
    'each instance type is checked separately',
    'one alternative of their affinity is enough, preferences are ignored, and soft taints are tolerated',
    'if a port is in use only on large types, the small types remain possible',
    at(
      'the real pod counts, without its pin to a host and with the template’s affinity',
      'is an existing pod, with the node affinity of the template instead of the host affinity',
    ),
  ],
  'Claim content': [
    'annotations and labels of the template, but no labels from well-known requirements',
    'the pool’s taints keep away pods that do not tolerate them',
    'its requirements, restricted by pool and pod',
    'its node class, and its requests with those of the daemons counted once',
    at(
      'the pool owns it, and its hash is that of the plan',
      'launches one node for ten pending pods, and reports it by claim, Event, metric and decision',
    ),
  ],
  Volumes: [
    'an unknown PersistentVolumeClaim makes only its own pod unschedulable',
    'an unset or missing storage class matters only for unbound claims',
    'an unbound claim restricts the pod to the zones of its storage class, and so does an ephemeral volume',
    'a bound claim restricts the pod to the zone of its volume, whatever its storage class says',
    'the hostname of a local volume is ignored, the hostname of any other volume is not',
    'the zone of a volume is never given up',
  ],
  Preferences: [
    'alternatives are given up one by one, but never the last',
    'all are given up if necessary, those with the greatest weight first',
    'soft taints are tolerated after all placement preferences are given up',
    'preferred zones and hosts do not change the domains of a topology spread',
    'no preference has an effect if the setting ignores preferences',
  ],
  'Several pools': [
    'a pod can select a pool by name or by label',
    'a pool without a soft taint comes first, then the weight decides; a pool that the pod selects overrides the weight',
    'static pools launch no nodes for pods, but other pools do',
  ],
  'MinValues policy': [
    'Strict launches no node that violates them',
    'BestEffort lowers them to the available values, and reports it',
    'the pool with the greater weight is relaxed before the next pool is tried',
  ],
  Batching: [
    at('one pod is planned for after the idle time', 'one pod closes the window after the idle time'),
    at(
      'the same pod again does not extend the window, another does',
      'a second trigger for the same pod does not extend the window, but a trigger for another pod does',
    ),
  ],
  Constraints: [
    'node selectors, requirements and preferences of pods',
    'labels that pods must not require',
    'operators on a custom label',
    'compatible pods share a node, others do not',
    'a pool that is not ready launches no nodes',
  ],
  'Instance compatibility': [
    'no instance type for pods that are too large or have impossible combinations',
    'pods with incompatible requirements get separate nodes',
    'the pod’s affinity and the pool exclude types',
    'labels of the provider, including those that only some types have',
  ],
  'Bin packing': [
    'small pods get a small node, large pods a large one',
    'the overhead of the pod’s RuntimeClass counts',
    'two large pods share a node, and small pods fill the remaining capacity',
    'pods of different sizes are all placed, on different nodes if necessary',
    'a zero request for an unknown resource fits, a larger one does not',
    '25 pods with at most five per node need five nodes',
    'init containers count for the size of a node, and can make a pod unschedulable',
    'the chosen type fits, even if others are cheaper',
  ],
  'In-flight': [
    'a second pod joins a launching node if it fits and is compatible',
    'spread counts launching nodes',
    'a taint on the node keeps pods away',
    'capacity for missing daemons stays reserved, and a daemon that uses more than expected frees none',
    'daemons that wait for a registered or initialized node are counted before and after that',
    'existing nodes are filled before new ones are launched, initialized nodes first',
    'pods that fit nowhere do not prevent the placement of others',
    'equal host ports go to different nodes',
    at(
      'which taints of a node that is coming up are hidden, and until when',
      'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
    ),
  ],
  'Existing nodes': [
    'an unmanaged node runs one pod or many',
    'if no existing node fits, a new one is launched',
    'capacity is reserved only for daemons that can run on the node',
    at('initialized nodes come first', 'initialized nodes come first'),
  ],
  'No pre-binding': [
    'in the next decision, the same pods use the nodes launched for them',
    'affinity to itself holds before any pod is bound',
    at(
      'what the kubelet reports as nothing is taken from the claim',
      'comes from the claim for resources that the kubelet has not reported, until the node is initialized',
    ),
  ],
  'Volume usage': [
    'the limit of a driver moves additional pods to other nodes, and a shared claim counts once',
    'a volume without a driver does not count',
    'several zones of a volume, or several terms of a storage class, are alternatives',
    'contradictory alternatives are removed',
    'the storage class of an ephemeral volume, the default class, or the newest default class is used',
    'a pod whose volume cannot be provisioned gets no node',
    'a missing storage class of running pods has no effect',
    'in-tree drivers count as the CSI drivers that replaced them',
  ],
  'Reserved capacity': [
    'a claim holds every reservation that it may use; the other pods wait for the next decision',
    'pools share a reservation, or each uses its own',
    'two reservations of one and two instances of one type serve four pods in three decisions',
    'while the pool with the greatest weight has a suitable reservation, no other pool is used and no preference is given up',
    'several pods share a reserved node',
  ],
  Other: [
    'a pool that excludes all types launches nothing, but existing nodes still run pods',
    'pods with device claims are unschedulable, other pods and daemons are not',
    'only offerings with a device provide it, and only while they are available',
  ],
  'Deleting nodes': [
    at('which pods want another place', 'whether a pod is reschedulable when its node is deleted'),
    at(
      'not those that a budget holds for ever',
      'the PodDisruptionBudgets that block a pod',
      'all budgets if there are several, because the eviction API refuses such a pod',
    ),
  ],
  Metrics: [
    at(
      'unschedulable pods, durations, decisions',
      'a pod that fits nowhere gets one Event with the reason',
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
