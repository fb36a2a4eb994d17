import { better, different, kept, type Quirks, untested } from './quirk.ts'

export const disruption: Quirks = {
  'Which nodes are disrupted': [
    better(
      'a price that nobody knows is 0: such a node looks free, nothing ever replaces it, and everything with a price looks dearer',
      'it is unknown: chosen last, never weighed, and the blocker `price.unknown` says what to do; only empty nodes are removed',
      'is kept and reported although its pods fit elsewhere, and is disrupted once a NodeOverlay sets its price',
      'is disrupted when it is empty, and the message does not claim that this saves nothing',
      'comes after all offerings with a price, and is launched if nothing else fits',
    ),
    better(
      'stops a search for several nodes after a minute and one for single nodes after three minutes, and begins the next one with the nodes that were left out',
      'every candidate is evaluated in every pass; the search for sets is limited by work',
      'the search for two nodes ends if the work is used up',
    ),
    better(
      'evaluates only the first hundred candidates (101, by mistake), and only prefixes of their order',
      'evaluates all candidates; the search begins with a prefix, other nodes may join, and any two nodes may begin a set',
      'finds the longest prefix, even beyond the window of a hundred of Karpenter',
      'skips nodes that make a larger set impossible',
      'replaces a prefix by another set that saves more',
      'any two nodes may start a set if merging them saves a tenth of their price',
    ),
    better(
      'the largest valid set is disrupted, however little its last members save for the pods that they disturb',
      'a set grows only at about its own rate of saving, and one that needs a new node must come near the best single node',
      'a prefix that needs a new node and saves much less than single nodes is replaced by a shorter one',
      'a prefix goes beyond the window only as long as its nodes save about as much',
      'more nodes join a set only if they save about as much as its members',
    ),
    better(
      'of single nodes the first valid one is disrupted',
      'the one that saves most for what it disturbs',
      'the node with the highest savings per disruption is disrupted first',
    ),
    better(
      'equal candidates come in an order that changes from run to run',
      'by name where all else is equal',
      'candidates are sorted by descending savings per disruption, in a stable order',
    ),
    better(
      'a replacement that allows spot and on-demand is narrowed to spot even where no type is left on spot, and cannot launch',
      'to spot only with types that spot has; to on-demand when there are none',
      'types without spot are not launched as spot; without any spot the replacement is on-demand',
    ),
    kept(
      'when a type of the set is among the options and has no offering like its running node, no option is left',
      'the same: the price of the node is 0; a price that is unknown is the blocker `price.unknown`',
      'if the type of a replaced node has no offering like the node, its price is 0, so no type is left',
    ),
    different(
      'Balanced totals hold the price that an offering had when it was first seen, refreshed hourly, and may count a node as 1.0 after its claim changed',
      'prices and pods of the moment',
      'savings are divided by the prices of the nodes; one rejecting pool rejects the move, and all pools get scores',
    ),
  ],
  'Passes and budgets': [
    better(
      'the mark that there is nothing to consolidate looks at the cluster’s changes only: not at which nodes have become eligible, nor at prices and availability',
      'it also covers the eligible nodes, the instance types and what the budgets allow',
      'a budget of 0 stops all methods, and a change of the budget is enough to resume them',
    ),
    different(
      'consolidation searches every ten seconds while anything changes, whatever the size of the cluster',
      'above 10,000 pods it rests after a search that found nothing, a second for each thousand pods and a minute at the most',
      'consolidation searches %s again after a rest',
      'consolidation searches at once when many pods leave',
    ),
    better(
      'a node that is replaced for drift brings along nodes for all pods that wait; the provisioner launches for them too when both decide within the same seconds',
      'only what the node’s own pods need is launched in its place',
      'drift does not launch nodes for pods that are already pending, because the provisioner does',
    ),
    better(
      'without a NodePool to launch from, drift and consolidation fail the loop, and the methods after them are not reached',
      'they pause; empty nodes are still disrupted',
      'if no NodePool can launch, consolidation does nothing, but empty nodes are deleted',
    ),
    kept(
      'a budget whose schedule never comes (30 February) is always active',
      'the same: the stricter reading',
      'a schedule that never matches is always active',
    ),
    kept(
      'a budget that cannot be read allows nothing, for every reason',
      'the same, for its own NodePool only, and an event says why',
      '%s allows no disruption for any reason, and the error says why',
      'an invalid budget prevents only the disruption of its own pool’s nodes',
    ),
    better(
      'a budget that cannot be read is only logged; an event on the NodePool says that a budget blocks, but only once there are nodes',
      'the event on the pool says which budget and why, with or without nodes',
      'an Event reports an invalid budget even before the pool has a node',
    ),
    better(
      'a schedule with a time zone (`TZ=Europe/Berlin 0 9 * * *`) is taken by the API server, and cannot be read later',
      'it uses the local time of the zone; an unknown zone cannot be read',
      '%s uses the local time there, in summer and winter',
    ),
    better(
      'a consolidateAfter that cannot be read fails the controllers that meet it',
      'it consolidates nothing, as Never does',
      'an invalid consolidateAfter counts as Never, and only for its own pool',
    ),
    better(
      'a replacement may count on gaps of other nodes, which kube-scheduler fills otherwise: a pod is left over and another node bought',
      'a move that needs a new node and gaps holds only if the pods fit when each goes to the emptiest node',
      'does not rely on free capacity that fits only some of the pods',
    ),
    better(
      'the next command is looked for when the nodes of the last one are gone or their budget is free',
      'it is chosen and validated while they terminate, and started when they are gone',
      'are awaited until the last one is gone or its instance is terminating',
    ),
    better(
      'each command waits 15 s for its validation, also when the nodes were right to delete long before a budget was free for them',
      'what is only deleted waits from when every search began to find it; not in a Balanced pool',
      'nodes that waited for the budget for as long as a validation takes need no further wait',
      'in a Balanced pool each command waits fifteen seconds for its own validation (budget of %s)',
    ),
    better(
      'a replacement that turns out not to be needed after the wait is dropped as `scheduling`',
      'the nodes are deleted without it',
      'if capacity for the pods becomes free, the node is deleted without a replacement',
    ),
    better(
      'drifted nodes drain when their replacements are ready, however many that are at a time',
      'one after the other, or one in fifty of a large pool; a slow one holds up the others for ten seconds',
      'in a small pool, one node drains at a time',
      'in a large pool, one node in fifty may drain at the same time',
    ),
    better(
      'all pods of a drifted node are asked to leave at once',
      'a quarter of them each second, so fewer are down at the worst moment; a drain takes five seconds in any case',
      'the number of evicted pods after each second, out of eight, if the node is %s',
    ),
    better(
      'kube-scheduler puts the pods of a consolidated node on the emptiest nodes, which are consolidated next',
      'nodes that are to go have a taint of effect PreferNoSchedule, which decisions do not see; not in a Balanced pool',
      'get no pod if another node has free capacity, even while they wait for the budget',
      'lose the taint when they leave the target',
    ),
    better(
      'a move whose saving is spent again, because pods were placed otherwise than planned, is begun again without end',
      'when the price has returned twice at the same demand and offerings, moves wait ten minutes, then twice as long each time',
      'a move that is undone repeatedly must wait, is reported, and continues when the demand changes',
      'a cycle of several moves counts as one return per cycle, and every move of the cycle waits',
    ),
    kept(
      'Unconsolidatable is published once in fifteen minutes for each object, even if the reason has changed',
      'the same; `kerf explain node` has the reason of the moment',
      '%s: the message is published as often as the case says in one pass',
    ),
    different(
      'DisruptionBlocked is published by every method in turn',
      'once in a pass; after the recorder has dropped repetitions it is the same',
      'the blocker is reported on Node and claim',
    ),
    kept(
      'a nomination during the wait is reported as `budget`',
      'the same word, for whoever counts them',
      '%s is reported as %s, and the command is tried again even if nothing else changes',
    ),
    better(
      'a set of nodes that does not hold after the wait is dropped without an event',
      'ConsolidationRejected on each of its nodes',
      'drops a whole command for several nodes; a single node is then disrupted in the same pass',
    ),
    better(
      'a replacement is launched after the wait although another pool would have to launch it by now, over the limit of its own',
      'the pool is compared too; otherwise the command is dropped as `scheduling`',
      'if the pool of the replacement has reached its limit, no other pool launches the replacement instead',
    ),
  ],
  'Commands under way': [
    better(
      'a command that is done in the moment in which its time is over is counted as failed',
      'what is ready is finished first, however late',
      untested('No test lets the last replacement come up within the one second in which both are true.'),
    ),
    better(
      'a command whose first NodeClaim is gone is never processed again, and its nodes stay in the queue until a restart',
      'it ends with the others',
      'if a node disappears while its replacement starts, the command ends anyway',
    ),
    better(
      'when a command cannot be begun, its nodes stay closed until the next loop',
      'they are opened at once',
      'with random API errors and process crashes, budgets are never exceeded and the cluster settles (seed %i)',
    ),
    better(
      'a replacement that is being deleted is waited for until it is gone',
      'it is lost as soon as it is deleted',
      'the node is uncordoned, and loses its DisruptionReason and deletion mark',
    ),
    better(
      'when closing a node of a static pool fails, the headroom reserved for its replacement is not given back',
      'it is',
      untested(
        'Courses with failing calls have static pools (`npm run sim`); none looks at this reservation by itself.',
      ),
    ),
    kept(
      'the label `consolidation_type` of failed commands carries the decision',
      'the same: dashboards sum over it',
      'the node is uncordoned, and loses its DisruptionReason and deletion mark',
    ),
    kept(
      'the breaker of node repair says “more then 20% nodes are unhealthy in the cluster”',
      'the same words: alerts match them',
      'counts against all nodes of the cluster if its claim has no pool',
    ),
  ],
}
