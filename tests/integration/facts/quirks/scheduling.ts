import { better, kept, type Quirks } from './quirk.ts'

export const scheduling: Quirks = {
  'Topology while planning': [
    better(
      'a group with zone affinity to itself can end in two zones',
      'the first pod pins the zone of its node, so the group has one',
      'a group with affinity to itself in a zone ends in one zone',
      'Affinity: to itself in a zone gives one zone, also a required one',
    ),
    better(
      'replicas with zone anti-affinity get one node per decision',
      'each node is pinned to a zone at once, so three replicas get three nodes in one decision',
      'replicas that need a zone each get three zones in one decision (in Karpenter one each)',
      'Affinity: replicas with anti-affinity to each other use each zone once in one decision, and no more',
    ),
    better(
      'followers wait for the decision after that of their leader',
      'the zone of a node that others want to follow to is pinned with its first pod',
      'followers are placed with a leader whose zone is still open (in Karpenter they wait)',
      'Affinity: followers are placed with their leader in the same decision, with or without a fixed zone',
    ),
    better(
      'the first pod of a group takes any zone, and shuts out members that can be in another one only',
      'a place is looked for where most of the pods that affinity ties together can be, over any key',
      'places as many pods that must be together as the best placement',
      'as many as possible are placed, whatever their order',
    ),
    better(
      'a group whose members run in zones that a pod cannot reach is begun anew in another zone',
      'the pod is unschedulable: kube-scheduler lets a pod begin a group only while no pod anywhere matches all its required affinity terms, so the node could not be used',
      'a group with a running member cannot start in another domain (in Karpenter it can)',
      'one of two contradictory members is placed',
    ),
    better(
      'each of several required affinity terms counts pods by itself',
      'like kube-scheduler: a pod counts only if all terms select it, and only then the first pod may begin',
      'if a pod has several terms, only pods that all of them select count',
      'a pod that one of its own terms does not select cannot be the first',
    ),
    better(
      'required anti-affinity over a label that a node lacks keeps pods off that node',
      'like kube-scheduler: a node without the label has no domain to stay away from',
      'a running pod with the term excludes no pod from new nodes or from its own node',
      'a new node without it takes the pods that the labelled nodes refuse',
    ),
    better(
      'spread compares with zones that no pool of the pod reaches',
      'like kube-scheduler by default: only zones that the pod’s own requirements allow are compared',
      'a zone that the pool of the pod cannot reach does not count (in Karpenter it does)',
    ),
    kept(
      'a zone that only a pool at its limit reaches counts in a spread',
      'kube-scheduler would count it as soon as one node were there; the others stay at the skew',
      'a zone that only a pool at its limit reaches still counts',
      'Combined: a third zone without available nodes, with a preferred spread over hosts',
    ),
    better(
      'of two spread constraints on one label each picks a domain for itself, and the node fails when they differ',
      'the best domain that both allow is taken',
      'with two constraints on one label, a domain that both allow is chosen (upstream fails)',
    ),
    better(
      'constraints that differ only in minDomains or in the values of node selectors share their counts',
      'they are counted apart',
      'constraints that count different nodes have separate counts (Karpenter merges them)',
    ),
    better(
      'a value that a pool excludes becomes a domain that nobody can reach',
      'only values that can be had are domains',
      'a value that a pool excludes is not a domain (in Karpenter it is)',
    ),
    better(
      'a soft taint hides the zones of its pool from affinity',
      'it keeps nobody away for good, so it hides nothing',
      'affinity can choose zones behind a soft taint',
    ),
    kept(
      'the last spread constraint takes the place of the one that is given up, so the order of giving up changes',
      'the order in which preferences are given up determines where pods run',
      'the last constraint takes the position of the one that was given up',
    ),
    kept(
      'a preferred anti-affinity is required until it is given up',
      'replicas get nodes of their own where that is possible, as today',
      'preferred anti-affinity applies until it is relaxed, and does not block other pods',
    ),
  ],
  'Pods and their order': [
    better(
      'the order of the alternatives of a required node affinity decides over the weight of NodePools',
      'alternatives have no order (Kubernetes: one of the terms must be satisfied), so the term with the heaviest pool is tried first, and a node that exists comes before a new one',
      'the pool with the highest weight that matches any alternative is used, whatever the order of the alternatives',
      'an existing node for the second alternative comes before a new node for the first',
    ),
    kept(
      'priority does not decide who is placed first',
      'size does, then age; virtual pods of buffers mix with real ones',
      'priority does not determine the order, so virtual pods are mixed with real ones',
    ),
    kept(
      'pods that are ending, or have failed without running, still get a node',
      'the condition alone decides',
      'terminating pods and pods that failed without ever running are provisioned for',
    ),
    kept(
      'a node affinity term without expressions is satisfied by any node (kube-scheduler: by none)',
      'a pod with such a term gets a node as today',
      'every node satisfies an alternative without requirements',
    ),
    kept(
      'matchFields in any alternative has the pod refused, although another would do',
      'an event on the pod says so',
      'matchFields in any term makes the pod unschedulable',
    ),
    better(
      'reading a pod sorts its preferences and drops terms in place',
      'nothing that is handed in is changed; of equal weights the first counts',
      'of preferences with equal weights the first counts, and the pod object does not change',
      'Default spread: injected constraints do not modify the pod object, and keep all fields of the default',
    ),
    better(
      'preferences that the policy ignores still cost an attempt each',
      'they cost nothing, with the same result',
      'constraints that are ignored have no effect',
    ),
    better(
      'a pod that moves and whose volume claim is gone is kept off all existing nodes',
      'it is placed as if without the claim, on nodes that exist too',
      'a moving pod whose claim was deleted is placed without it, also on existing nodes',
    ),
  ],
  'Nodes and pools': [
    better(
      'labels that mean the same (the zone under the key of a volume driver) are known only to the build of their own cloud',
      'the aliases of all providers hold with each: a Cluster API cluster may have volumes of the driver of the cloud below it',
      'the cases cover all aliases of all providers',
      '%s: a plan respects the zone that pods and pools require',
      '%s: the controller launches in the zone of the volume',
    ),
    better(
      '`limits.nodes` is not counted within a decision',
      'it is exact within a decision too',
      'the limit on nodes is exact within a decision (Karpenter launches three)',
      'Limits: with a limit of two nodes, no third node is launched, in one decision or in several',
    ),
    better(
      'a new node counts against limits as the largest type that it could become when it was opened, so a limit with ample room keeps pods waiting',
      'it counts as the largest type that is written into it, and what is written is what the limit has room for: the limit holds whatever the cloud gives',
      'if it allows less, every claim lists fewer large types',
      'limits are never exceeded, whichever types the cloud launches',
      'a limit that allows the plan made without limits does not change the cost',
    ),
    better(
      'alternatives of a DaemonSet’s affinity are lost while instance types are evaluated',
      'every alternative counts for every type',
      'every alternative of a daemon is tried for every type (Karpenter drops alternatives)',
    ),
    better(
      'the requests of a claim hold more than the least that daemons take when the first types run none',
      'the least over all types, nothing where a type runs no daemon',
      'Units: the maximum and the minimum of lists of resources',
    ),
    kept(
      'exclusions are lost when a bound on the same label is written into a claim',
      'a bound and an exclusion have no form in the API that older readers know; the types listed beside them are exact',
      'a bound drops exclusions',
    ),
    better(
      '`Lt 0` on a label of one’s own ends in a panic',
      'there is no value, so there is no label',
      'does not fail on an empty range',
    ),
    better(
      'a label that must only exist gets a random number',
      'the smallest number that is allowed, the same each time',
      'Requirement: the example value of a requirement satisfies it',
    ),
    kept(
      'without a pool that may launch, nodes that exist are not tried either',
      'kube-scheduler has tried them already; an event on the pod says what is wrong with each NodePool',
      'if no pool may launch nodes, pods are not planned on existing nodes either',
    ),
    kept(
      'a claim holds every reservation that it might use, so others wait for the next decision',
      'it is what makes sure that no instance is bought beside an unused reservation',
      'a claim holds the reservations that it may use, and other pods wait for the next decision',
    ),
    kept(
      'unreachable:NoExecute keeps pods off a node that is coming up, its NoSchedule form does not',
      'these two entries of the list of ephemeral taints are upstream’s',
      'ephemeral taints are recognised by key and effect, and readiness taints by their prefix',
    ),
    better(
      'a node of Cluster API looks unusable until its labels are synced: `node.cluster.x-k8s.io/uninitialized` is no ephemeral taint',
      'it is one, so a node that has just joined is planned with, and counts as initialised once the taint is gone',
      'Cluster API’s taint on nodes whose labels are not synchronised is ephemeral, but only with its own effect',
      'is used in plans for a node of Cluster API before the node’s labels are synchronized',
    ),
  ],
  'Choice and speed': [
    better(
      'ties are broken by the order of a hash map: the cost of one input varies up to 40% from run to run',
      'every tie has an order; equal input gives an equal plan, in whatever order it is given',
      'the plan does not depend on the order of pods, pools, types, nodes, labels and lists',
    ),
    better(
      'prices are ignored while pods are packed',
      'a second pass makes the plan cheaper, leaves nobody out and breaks nothing; `--plan-budget=0` turns it off',
      'the improvement pass places the same pods on the same existing nodes and is never more expensive',
    ),
    better(
      'a decision about many pods is cut off after a minute',
      'work grows with the kinds of pods, not with their number, and nothing is cut off',
      'twice the pods of the same groups take at most about twice the steps',
    ),
  ],
  Overlays: [
    better(
      'of three capacity overlays of one weight the third is compared with the second alone',
      'conflicts are kept for each capacity resource, so every one is reported',
      'capacity overlays with equal weight conflict, even if others come between them (upstream checks only the last one)',
    ),
    better(
      'an offering with another price loses its own capacity and overhead',
      'only the price changes',
      'an offering whose price changes keeps its other values',
    ),
  ],
}
