import { at, type Fact, without } from './fact.ts'

const UPSTREAM_LIMITS =
  'There are no time-outs: every candidate is evaluated in every round, and work is bounded instead.'
const PERFORMANCE =
  'Upstream’s thresholds are for its own process on its own machines. Ours are benchmarks: `npm run bench:consolidation`, `bench:beside`, `bench:scheduling`, `bench:informers`.'

/**
 * The facts of section 7 of the disruption spec, one for each assertion there, in our words, and the tests that hold us to
 * them. One table in the order of the spec, so it stays one file however long it is.
 */
export const disruptionSections: Readonly<Record<string, readonly Fact[]>> = {
  '7.1 Candidates': [
    at('a plain node is one', 'a plain node is one'),
    at(
      'do-not-disrupt pods block, with terminationGracePeriod only the graceful methods',
      'a do-not-disrupt pod blocks every class without terminationGracePeriod, the graceful one with it',
    ),
    at(
      'blocked PodDisruptionBudgets block, with terminationGracePeriod only the graceful methods',
      'a PDB without disruptions left blocks every class without terminationGracePeriod, the graceful one with it',
    ),
    at(
      'do-not-disrupt counts on pods of daemons and on mirror pods',
      'daemons and mirror pods with do-not-disrupt block too',
    ),
    at(
      'pods that end or have ended block nothing, mirror pods are no matter of budgets',
      'pods on their way out and finished pods do not block',
    ),
    at('two PodDisruptionBudgets on a pod block', 'two PDBs on a pod block, and both are named'),
    at('a budget that allows nothing blocks on pods of daemons too', 'a PDB on a daemon pod blocks'),
    at('Node or NodeClaim alone are none', 'a node without a claim, and a claim without a Node, are none'),
    at(
      'nominated, deleting, marked or uninitialised nodes, without pool label or with that of an unknown pool, annotated ones',
      'node and pool: annotation, nomination, label, unknown pool, marks, initialisation',
    ),
    at('nodes that are deleted, marked or in the queue are none', '%s is seen'),
    at(
      'missing labels of capacity type, zone or type, and unknown types, keep nobody from being one',
      'missing capacity-type, zone and type are fine for candidacy; consolidation names them',
    ),
    at(
      'each rejection is an event on Node and NodeClaim',
      'is told on Node and claim',
      'is told while it is not initialised',
    ),
  ],
  '7.2 Eviction cost': [
    at(
      'a pod costs 1; deletion cost and priority raise and lower it, within bounds',
      'of a pod: 1, more for priority and deletion cost, within ±10',
    ),
  ],
  '7.3 Budgets': [
    at(
      'unmanaged and uninitialised nodes and terminating instances do not count',
      'foreign and uninitialised nodes, and those whose instance is terminating, do not count',
      'what budgets allow and what uses them up, without strangers; gone with the pool',
    ),
    at(
      'what is deleting, marked or not ready takes from the budget, never below nothing, for each reason',
      '%s leave eight of ten, for every reason',
      'with everything on its way out there is nothing left, and never less',
      'budgets: gauges before, as many as allowed at a time',
      'what is left of a budget is not spent while the nodes that use the rest are about to go',
    ),
    at('0 for all reasons is 0 for each', '0 for all reasons is 0 for each'),
    at('without an active budget there is no limit', 'without an active budget there is no limit'),
    at('unspecified reasons apply to all', 'absent reasons mean all, an empty list none (edge case 43)'),
    at('the least applicable budget of each reason counts', 'the least applicable budget of each reason counts'),
    at('a schedule or number that cannot be read makes it 0', '%s makes it 0 for every reason, and says why'),
    at('numbers and percentages', 'percentages are rounded up', 'absent budgets are one of 10%'),
    at('the clock’s zone is ignored', 'weekdays count in UTC'),
    at(
      'active at the hit, in the middle, past it; overlapping windows',
      'open at the hit, closed a duration later',
      'hits that overlap extend the window',
      'yearly is inactive in June, active on New Year’s Day',
    ),
    at('a reversed range is refused', '%s is refused'),
  ],
  '7.4 Simulation': [
    at(
      'pods of deleting nodes may count on nodes that are coming up',
      'edge 158: a node that is still coming up counts only for pods that have to go in any case',
    ),
    at(
      'several replacements in a row see each other; nothing is launched twice',
      'nothing is launched twice for nodes that are being replaced, however many commands run',
    ),
    at(
      'a node with a local volume can be replaced',
      'a node with a pod on a local volume, bound to it by its host name, can be replaced (§7.4)',
    ),
  ],
  '7.5 Taints': [
    at('what an earlier process left is removed', 'taint and DisruptionReason are removed by the next loop'),
    at('a failed replacement takes taint and condition back', 'the node is opened again, without reason and mark'),
  ],
  '7.6 Metrics': [
    at(
      'decisions by method: empty, drifted, several, single; by pool once for a command',
      'budgets are per pool: two from each of three pools, in one command',
      'waits 15 s, taints, says why, deletes and tells',
      'a busy node is replaced: the new one is ready before the old one goes, and it may cost more',
      'three become one that is cheaper',
      'several go at once into the others, as far as the budget allows',
    ),
    without('multi-node stops at its deadline', UPSTREAM_LIMITS),
    at('eligible nodes are 0, then 1', 'eligible nodes are 0, then 1 when a node may go'),
  ],
  '7.7 Emptiness': [
    at('budgets in numbers and per cent', 'a budget of %s takes %i of ten at a time'),
    at('budgets of several pools', 'budgets are per pool: two from each of three pools, in one command'),
    at(
      'an empty node goes, as Empty also when it drifted',
      'a drifted empty node goes as Empty; with consolidation off, as Drifted',
    ),
    at(
      'not without Consolidatable',
      'emptiness and consolidation ask for Consolidatable, which is %s',
      'Consolidatable taken away keeps the node',
      'nodes are Consolidatable only after consolidateAfter',
    ),
    at('do-not-disrupt "true" and "false"', 'leaves alone a node with do-not-disrupt "true", takes one with "false"'),
    at(
      'what counts as empty: daemons, ending pods, ending StatefulSet pods',
      'a node with a pod is not empty; daemons and leaving pods do not count, a leaving StatefulSet pod does',
      'a pod whose eviction costs nothing does not keep a node from being empty (edge case 31)',
    ),
    at(
      'pending pods keep the node that they are nominated for',
      'places later pods on nodes that are coming up instead of buying more',
      'pods are sent to the nodes meanwhile: %s counts %i and is told as %s, and goes as soon as they are not awaited any more',
    ),
    at(
      'the wait of 15 s',
      '%s: fifteen seconds from the decision to the first taint',
      'waits 15 s, taints, says why, deletes and tells',
      'a pod that comes during the wait saves its node, not the others',
    ),
    at(
      'static pools are never touched',
      'static pools are never touched',
      'nodes of static pools are never empty or underutilised',
    ),
    at(
      'buffer pods protect their node',
      'buffer pods keep a node from being empty, until they are gone, each node for itself (§7.7)',
      'their nodes are not empty, are refilled when pods take them, and go with the buffer',
    ),
  ],
  '7.8 Events and metrics of consolidation': [
    at(
      'how often Unconsolidatable is said: of policies, unknown types and missing labels',
      '%s: Unconsolidatable is said so many times in one loop',
      'of a busy node of a WhenEmptyOrUnderutilized pool no policy is told, only what its move lacks',
    ),
    at(
      'failed validations: counted, not stamped',
      'of several nodes drops them all, and a single node goes in the same loop',
      '%s is told as %s, and it is tried again without any other change',
      'pods are sent to the nodes meanwhile: %s counts %i and is told as %s, and goes as soon as they are not awaited any more',
      'a budget that closes to %s while empty nodes wait lets %i go and counts %i',
      'a pod that comes during the wait saves its node, not the others',
    ),
  ],
  '7.9 Budgets of consolidation': [
    at(
      'as many as budgets allow, also of several pools',
      'several go at once into the others, as far as the budget allows',
      'keeps to the slots of each pool',
    ),
    at(
      'blocked by budgets nothing is stamped',
      'a budget of nothing stops all methods, and opens without anything else changing',
      'a budget with a window holds until it ends, to the second (§3.4)',
    ),
  ],
  '7.10 Replace': [
    at(
      'by a cheaper one, spot with 15 cheaper types',
      'a node that is too big gives way to a cheaper one that is up first',
      'spot for spot with 15 cheaper types sends exactly the 15 cheapest; more for minValues',
    ),
    at('spot for spot is refused', 'spot for spot is refused with the gate off, and with fewer than 15 cheaper types'),
    at(
      'types are ordered by price before they are cut',
      'of one node needs 15 cheaper types and sends exactly the 15 cheapest (65)',
    ),
    at('minValues above and below 15', 'sends more when minValues need them, never fewer than 15 (66)'),
    at(
      'the same-type filter and minValues',
      'options from the cheapest overlapping type on disappear',
      'minValues must hold after the filter',
    ),
    at('the price filter and minValues', 'a price filter that breaks minValues is told, also under BestEffort (§7.14)'),
    at(
      'a pool without types does not block',
      'an extra pool without instance types, and one that is not Ready, do not block (§7.10, §7.11)',
    ),
    at(
      'PodDisruptionBudgets: the other node, unhealthy pods, other namespaces',
      'a PDB, do-not-disrupt on the node and on a pod choose the other node, also with terminationGracePeriod',
      'none when it is unhealthy and may leave so',
      'a PDB of another namespace does not block',
    ),
    at(
      'not for the worst spot price, nor a dearer on-demand one',
      'the worst spot offering within the requirements counts (60)',
      'never for the same price: the comparison is strict',
    ),
  ],
  '7.11 Delete': [
    at('the node whose pods fit elsewhere', 'a node whose pods fit elsewhere goes, after the wait, without a new node'),
    at('only stable ones', 'nodes are Consolidatable only after consolidateAfter'),
    at('room on nodes of others counts', 'pods of a Deployment run on, on the nodes that stay'),
    at(
      'PodDisruptionBudgets and do-not-disrupt, also with terminationGracePeriod',
      'a PDB, do-not-disrupt on the node and on a pod choose the other node, also with terminationGracePeriod',
    ),
    at(
      'do-not-disrupt for a time, and nonsense',
      'a duration protects a pod until it has passed; nonsense does not protect (edge cases 15 to 18)',
    ),
    at('pods without an owner are evicted', 'a node whose pods fit elsewhere goes, after the wait, without a new node'),
    at(
      'not onto a node that is coming up; those that are up come first',
      'pods that would land on a node that is coming up stay',
      '46: initialised nodes come first',
    ),
    at('a destination inside its consolidateAfter', 'a destination inside its consolidateAfter takes no running pods'),
    at(
      'pods that wait anyway, and pods that would have to',
      'a permanently pending pod blocks nothing; a running pod that would wait blocks',
    ),
    at(
      'an invalid pool does not block',
      'an extra pool without instance types, and one that is not Ready, do not block (§7.10, §7.11)',
    ),
  ],
  '7.12 The wait': [
    at('for fifteen seconds', '%s: fifteen seconds from the decision to the first taint'),
    at('types change', 'the type that a replacement was meant to be is not offered any more: the node stays'),
    at('pods that do not fit, or are protected, arrive', '%s: the command is dropped and told'),
    at('a budget that forbids it appears, for delete and replace', 'a PodDisruptionBudget that forbids it keeps %s'),
  ],
  '7.13 Several nodes': [
    at(
      'three become one: on-demand, spot and mixed',
      'three become one that is cheaper',
      'three %s nodes become one too, with spot for spot on',
    ),
    at('two of a type never become one of it', 'two of a type never become one of that type: one of them goes instead'),
    at('consolidateAfter is respected', 'emptiness and consolidation ask for Consolidatable, which is %s'),
    at('several cheap ones go together', 'several go at once into the others, as far as the budget allows'),
    at(
      'when several fail validation, a single one still acts',
      'of several nodes drops them all, and a single node goes in the same loop',
    ),
  ],
  '7.14 Other consolidation': [
    at('the best ratio goes first', 'what saves most for least disturbance goes first'),
    at('zonal spread is kept', 'a required spread over zones is kept by the replacement (§7.14)'),
    at('required anti-affinity blocks', 'required anti-affinity keeps pods on different nodes'),
    at(
      'pods that arrive meanwhile; nodes that wait for pods of one that goes',
      'pods that arrive meanwhile do not make an extra node',
      'a node that was launched for the pods of one that goes is kept for them',
    ),
    at(
      'nodes move to reservations',
      'a node on %s moves to a reservation, which is cheaper',
      'reserved offerings decide when there are any (61)',
    ),
    at(
      'preferences are dropped under Ignore',
      'preferred anti-affinity under preferencePolicy %s leaves %i nodes (§7.14)',
    ),
    at(
      'BestEffort minValues justify no consolidation',
      'a price filter that breaks minValues is told, also under BestEffort (§7.14)',
    ),
    at(
      'buffer pods',
      'a busy node with buffer pods may be replaced by a cheaper one (§7.14)',
      'pods that nobody waits for take their places, and are missed by nobody',
      'buffer pods keep a node from being empty, until they are gone, each node for itself (§7.7)',
    ),
    at(
      'static pools are never consolidated',
      'static pools are never consolidated',
      'nodes of static pools are never empty or underutilised',
    ),
    at(
      'devices: allocated anew, not on the node that goes, not held elsewhere, together, shared',
      'the claim of a pod that moves is allocated anew, on a machine that has its device',
      'what the node itself has published is nowhere to go',
      'a free device of another node takes it; one that a pod there holds does not',
      'a claim that a pod elsewhere holds too is not freed',
      'pods of several nodes come together on one machine with devices for all',
      'of a shared device only the share of who moves is free again',
    ),
  ],
  '7.15 The order of single nodes': [
    at('by ratio, never rising', 'most saved for least disturbed first, the same every time'),
    at('pools take turns', 'pools take turns, the best of each first'),
    without('pools that were not looked at go first; a deadline in the past remembers every pool', UPSTREAM_LIMITS),
  ],
  '7.16 Balanced': [
    at(
      'prices: availability, unknown and unreadable ones',
      'is that of its own offering, available or not; 0 when it is not known',
    ),
    at('of nothing, of other policies', 'of nothing is rejected; without Balanced pools it is approved unscored'),
    at('missing totals', 'missing totals reject'),
    at(
      'split by source, any rejecting pool rejects, all have results',
      'savings are split by what the nodes cost; one rejecting pool rejects, and all have results',
    ),
    at(
      'replacement cost within the requirements',
      'sources less the cheapest offering of each replacement’s first type, within its requirements',
    ),
    at('what is approved and what is rejected', 'the score of a move (§3.7.1, §7.16)'),
    at('scale, K', 'does not depend on scale', 'K = 1 and 2 reject what K = 3 approves'),
    at('a pool with one node', 'the only node of a pool may go when its pods fit elsewhere (edge case 85)'),
    at(
      'end to end',
      'an oversized node is replaced, and the approval is told with its score',
      'a packed node with many pods is kept: what it saves is not worth them, beside nodes that %s',
      'under %s a move that saves half of a node and moves four pods leaves it',
      'several nodes with many pods are not merged, and the rejection is counted, not told',
      'several small ones go together; a budget of 0% blocks',
      'empty nodes are never scored, and go before busy ones under a tight budget',
    ),
    at('only Balanced is balanced', 'a pool that is not Balanced takes its share and has no veto (edge case 88)'),
  ],
  '7.17 Texts': [
    at(
      'failures by kind',
      '%s: the command is dropped and told',
      '%s is told as %s, and it is tried again without any other change',
    ),
    at('savings', 'sources less the cheapest offering of each replacement’s first type, within its requirements'),
    at('commands', 'texts (§7.17)', 'decisions (§3.11)'),
    at('candidates are told on two objects', 'a node that is too big gives way to a cheaper one that is up first'),
    at('pods of all candidates are counted in the log', 'one node may become several'),
  ],
  '7.18 Drift': [
    at('budgets and gauges', 'budgets: gauges before, as many as allowed at a time', 'budgets of ten pools do not mix'),
    at('an unschedulable oldest is passed over', 'a node whose pods would find no place is told and passed over'),
    at(
      'do-not-disrupt on node and pods, with terminationGracePeriod',
      'do-not-disrupt: on the node only "true"; on a pod, like a PDB, unless terminationGracePeriod ends it anyway',
    ),
    at('do-not-disrupt for a time', 'a duration on a pod blocks until it has passed'),
    at(
      'replace, delete, empty',
      'a busy node is replaced: the new one is ready before the old one goes, and it may cost more',
      'a drifted empty node goes as Empty; with consolidation off, as Drifted',
    ),
    at(
      'empty before busy, oldest first, one a loop',
      'empty before busy, and of the busy ones the oldest first, one at a time',
    ),
    at('one becomes several', 'one node may become several'),
    at('untaint on a failed replacement', 'the node is opened again, without reason and mark'),
    at(
      'Drifted missing, False or Unknown; static pools',
      'drift asks for Drifted, which is %s',
      'nodes of static pools drift by their own method only',
    ),
  ],
  '7.19 Static drift': [
    at('counts, per cent, headroom', 'static drift (§7.19)'),
    at('three pools: one, two and two', 'three pools start one, two and two; each by its own budget'),
    at('over-scaled pools wait', 'a pool that is over its replicas shrinks first'),
    at('the limit is never exceeded', 'keeps to its node limit', 'never let claims and reservations exceed the limit'),
    at(
      'Drifted missing or False, annotated nodes',
      'drift asks for Drifted, which is %s',
      'nodes that must not be disrupted are left out',
    ),
  ],
  '7.20 Queue': [
    at(
      'tainted until the replacement is initialised',
      'a pod never loses its node before the replacement is initialised',
      'one node may become several',
      'the node is opened again, without reason and mark',
    ),
    at(
      'eleven minutes, then untainted',
      'a replacement that does not come up in ten minutes gives up the command, not before',
    ),
    without(
      'a claim that only cluster state knows is no failure',
      'Informers of these tests follow at once; courses with watches that lag (`npm run sim`) launch replacements whose claims are not seen yet.',
    ),
    at(
      'two commands are independent',
      'two commands do not touch each other: one fails, the other goes through (§7.20)',
    ),
    at(
      'events',
      'waits 15 s, taints, says why, deletes and tells',
      'a node that is too big gives way to a cheaper one that is up first',
    ),
    at('time-outs by size', 'with %i nodes under way replacements have %i ms (§7.20)'),
  ],
  '7.21 Node termination': [
    at(
      'node and claim, without and with several claims, of others',
      'it is cordoned and drained, its instance ends, the finalizer goes last, and the claim goes too',
      'a node without a claim is drained and let go at once',
      'with two claims of its provider ID it is treated as one without a claim',
      'a node of somebody else is not touched',
    ),
    at('many at once', 'many nodes at once do not get into each other’s way'),
    at('who is not evicted', 'those that tolerate the disruption taint, static ones and finished ones stay'),
    at('a budget keeps pod and node', 'one that allows nothing keeps pod and node, until it is relaxed'),
    at(
      'four tiers, one after the other',
      'ordinary pods, ordinary daemons, critical pods, critical daemons: one tier after the other',
    ),
    at(
      'an instance that is gone',
      'gone under a node that is not ready: the node is let go in the middle of its drain',
    ),
    at(
      'stuck pods, namesakes',
      'a stuck pod is given up a minute after its end was due',
      'a new pod of an old name is not evicted for the old one',
    ),
    at(
      'terminationGracePeriod',
      'a pod whose grace is the whole time is deleted at once, past its budget',
      'a critical pod that is due does not wait for an ordinary one that a budget holds',
      'a pod of 60 s under 300 s lives at 90 s and is deleted at 240 s, with what is left',
      'a pod that was deleted with too long a grace is deleted again with a shorter one',
    ),
    at('five seconds at least', 'even an empty node drains for five seconds'),
    at(
      'volumes',
      'attached ones are waited for',
      'not those of pods that stay',
      'they are given up after the deadline',
    ),
  ],
  '7.22 Eviction queue': [
    at('missing pods, namesakes', 'that is gone, or has become another pod, is dropped without a word'),
    at('events', 'is evicted by its uid, with an event, and then forgotten', 'two on one pod have their own text'),
    at('answers', 'answer %i ends in %s'),
    at('at the same time', 'pods added while they are worked on are not lost'),
    at('the reason is told', 'the reason of a disruption is told'),
    at(
      'by force',
      'turns asking into deleting, past every budget, with one event',
      'is kept when it comes earlier, and ignored when it comes later or not at all',
      'that has passed grants one second; a pod that is gone meanwhile is dropped',
    ),
  ],
  '7.23 Lifecycle': [
    at(
      'finalizer, generations',
      'the finalizer is there before the provider is asked',
      'a stored condition of an older generation is stamped again while the claim is deleted',
    ),
    at(
      'launch',
      'a claim becomes a ready node, and its conditions sum up',
      '%s deletes the claim',
      'a create error keeps the claim, with its reason and message, until it works',
    ),
    at(
      'registration',
      'labels, annotations, taints and startup taints of the claim come to the node, with owner and finalizer',
      'a node without the unregistered taint registers with a warning',
      'do-not-sync-taints=%s',
      'startup taints that were taken off are not put on again',
    ),
    at(
      'health of the pool',
      'a registration makes it healthy',
      'two time-outs make it unhealthy with the cause of the last; one registration is then not enough',
      'a healthy pool becomes unhealthy by two time-outs',
      'a claim whose pool is gone, or is not its owner, tells nothing',
    ),
    at(
      'hooks',
      'all must be ready; those that are not are listed, and the node waits tainted but synced',
      'they are asked at the same time',
      'an error is returned, and overcome',
      'labels that a hook adds reach claim and node',
      'an empty list of hooks waits for nothing',
    ),
    at(
      'initialisation',
      'waits for Ready',
      'is not looked at before registration',
      'waits for every resource that was asked for to be allocatable',
      'waits for $key:$effect to go',
    ),
    at(
      'device pools',
      'a node is initialised once every driver has a complete pool at its newest generation',
      'nothing is waited for when requests are ignored',
    ),
    at(
      'liveness',
      'a claim that does not register is deleted fifteen minutes after its creation',
      'a claim that does not launch is deleted five minutes after its creation, whatever it fails with',
      'a registered claim has all the time it needs',
      'the time counts from the last change of %s, not from creation',
      'the time-outs can be set',
      'failing launches tell why they failed',
    ),
    at(
      'termination',
      'its node is deleted and drained first',
      'that never launched loses its finalizer, without a call to the provider',
      'that never registered leaves Nodes to whoever made them',
      'keeps its finalizer while the provider fails to end the instance',
      'several nodes with its provider ID are all deleted and waited for',
      'an error of the provider is tried again',
      'is written once, when the claim is deleted; a claim without the field has none',
      'one that is there already stays',
      'of another node class kind is left to others',
    ),
  ],
  '7.24 Other claim suites': [
    at(
      'consistency',
      'a node that shrank is found out within ten minutes, and said once',
      'only what was asked for counts',
      'claims of others are not looked at',
    ),
    at(
      'Consolidatable',
      'consolidateAfter counts from initialisation, until a pod comes or goes',
      'a claim that is not initialised is not, nor one of a pool that says Never',
      'nodes are Consolidatable only after consolidateAfter',
      'static pools are never touched',
    ),
    at(
      'drift: template, requirements, types',
      'a changed template, requirements that the labels do not meet; and gone again with the cause',
      '%s of the template drift the nodes of the pool, and of no other',
      'it has not while Launched is %s',
      'fingerprints',
      'template first, then requirements, then the type, and only then what the provider says',
      'a type that is offered %s, once the claim is an hour old',
      'a type that was found counts as found for half an hour',
      'no fingerprint or another version of it: no drift of the template',
      'an instance type that is not offered any more, after an hour, looked at every half hour at most',
      'a requirement on a label that the claim lacks drifts it; NotIn and DoesNotExist do not (edge case 134)',
    ),
    at(
      'expiration',
      'a claim is deleted when its own time is over, and its reschedulable pods are counted',
      'the claim’s age counts, not the node’s',
      'Never means never, and the claims of others are not touched',
    ),
    at(
      'garbage collection',
      'are deleted once their nodes are not ready',
      'stay to the registration time-out when they never registered',
      'a node that is not ready keeps its claim while the instance is listed',
      'a claim without its node stays while the instance is listed',
    ),
    at(
      'pod events: missing node or claim, again after ten seconds, once within them',
      'is written when a pod comes, at most every ten seconds, and again when one finishes or leaves',
      'daemons, and pods on nodes without a claim, do not count',
    ),
    at('hydration', 'claims and nodes of an older version get the label of their node class', 'those of others do not'),
    at(
      'state heals',
      'one that the API does have is kept, however long the informer lags',
      'a claim that was deleted before anybody saw it is forgotten after fifteen seconds',
    ),
  ],
  '7.25 NodePools': [
    at('counter', 'an empty pool counts zeroes; nodes count until they are on their way out'),
    at(
      'hash',
      'changes with what every node carries, not with behaviour',
      'a new way of hashing stamps claims anew, those that drifted keep their hash',
      'the same way of hashing leaves every claim as it is',
      'pools of other providers are left alone',
    ),
    at(
      'readiness',
      'follows the NodeClass',
      'tells that the class is missing, terminating, and back',
      'leaves pools of other providers alone, with one line in the log',
    ),
    at(
      'registration health',
      'health is unknown first, true after a registration, unknown again after an edit',
      'health is unknown again after an edit of the class',
      'a pool that was unhealthy before a restart is not healthy after one registration',
    ),
    at(
      'validation',
      'tells everything that is wrong, and takes it back',
      'of the capacity types %j one that there is will do',
    ),
    at(
      'the ring of outcomes',
      'each pool has its own',
      'asking what would be changes nothing',
      'seeding starts over, and resetting forgets',
    ),
  ],
  '7.26 Node repair': [
    at(
      'after the toleration, past budgets, do-not-disrupt and PodDisruptionBudgets',
      'is repaired after the toleration, past budgets, do-not-disrupt and PDBs, with its deadline set to now',
    ),
    at('its deadline: now, whatever the pool grants, unless it has passed already', 'its deadline %s'),
    at('the nearest of several conditions', 'the illness whose patience ends first'),
    at(
      'the breaker, in the pool and, for claims without one, in the cluster',
      'too many at once: nobody is repaired, and it is told; with fewer, they are',
      'of a claim without a pool counts against all nodes of the cluster (§7.26)',
    ),
    at('rounded up', 'of %i nodes %i sick: the breaker opens'),
  ],
  '7.27 Static capacity': [
    at(
      'down: order, protected ones last',
      'gives up empty nodes first and protected ones last',
      'gives up what was never launched before what runs',
      'does not count what is on its way out',
      'tries again when a deletion fails',
      'follows the scale subresource up and down to nothing',
    ),
    at(
      'up: to the target, within the limit, as the template says',
      'is filled from its template, and refilled',
      'keeps to its node limit',
      'edge 145: a limit that is reached grants nothing; what a failed creation had reserved is given back',
      'is filled once by a process that is killed in the middle',
    ),
    at('not before state is complete', 'edge 146: nothing is created before state was complete once'),
    at('not Ready, going', 'static pools that are not ready or going get nothing'),
  ],
  '7.28 Infrastructure': [
    at(
      'events: duplicates, windows, rates',
      'drops equal events of a window, which is two minutes unless the event says otherwise',
      'shares a bucket over all events that name it, asked after the window',
      'one object cannot flood the cluster',
    ),
    at(
      'options',
      'have upstream’s names and defaults',
      'a flag counts more than the environment, and that more than the default',
      'gates that are not named keep their default, unknown ones are ignored',
      'CPU_REQUESTS of nothing is one core',
    ),
    at('concurrency', 'from %i to %i at %i millicores is %i', 'the rate grows with it'),
    without(
      'the tracked cost of a pool',
      'Balanced totals are summed from the prices of the moment, each time they are asked for: there is nothing to track.',
    ),
    at(
      'PodDisruptionBudgets',
      'several, whatever they say: the eviction API refuses',
      'none when it is unhealthy and may leave so',
    ),
    at(
      'metrics',
      'show what they offer and what is asked of them, and vanish with the node',
      'show where they are and how long they waited',
      'count, last, change and tell',
    ),
  ],
  '7.29 Regression on a cluster': [
    at(
      'told in the sandbox and on a real control plane: scale, drift, expiration, PodDisruptionBudgets, budgets in a window, do-not-disrupt, terminationGracePeriod, static pools',
      'the life of nodes, in the sandbox',
    ),
    at(
      'chaos: a taint on every new node',
      'somebody who taints every new node gets no crowd of nodes under %s after %s',
    ),
    at('drift under budgets of a half', 'half of the nodes may drift at a time'),
    at(
      'budgets of 0, and of 0 in a window',
      'a budget of nothing stops all methods, and opens without anything else changing',
      'a budget with a window holds until it ends, to the second (§3.4)',
    ),
    at(
      'what drifts: fields of the template, requirements; another version of the hash does not',
      '%s of the template drift the nodes of the pool, and of no other',
      'a changed template, requirements that the labels do not meet; and gone again with the cause',
      'a new way of hashing stamps claims anew, those that drifted keep their hash',
    ),
    at(
      'a replacement that never registers or initialises',
      'replacements of which none ever %s take no node: one is closed at a time',
    ),
    at('PodDisruptionBudgets over unhealthy pods', 'none when it is unhealthy and may leave so'),
    at(
      'six pods in tiers, pods under terminationGracePeriod, the end of the instance',
      'ordinary pods, ordinary daemons, critical pods, critical daemons: one tier after the other',
      'a pod of 60 s under 300 s lives at 90 s and is deleted at 240 s, with what is left',
      'it is cordoned and drained, its instance ends, the finalizer goes last, and the claim goes too',
    ),
    at(
      'claims of their own: by resources, with all that they say, deleted, not registered, without a class; unknown instances',
      'C13 create never picks a type that is too small',
      'labels, annotations, taints and startup taints of the claim come to the node, with owner and finalizer',
      'its node is deleted and drained first',
      'a claim that does not register is deleted fifteen minutes after its creation',
      'C14 a missing or deleting node class is insufficient capacity, with an event',
      'C15 a node class that is not ready, or not known to be, launches nothing',
      'B01 a leaked machine is ended, and its Node deleted',
    ),
    at(
      'daemons: what LimitRanges give them, host ports',
      'is the real one, without the host it is pinned to, with the template’s own affinity',
      '7.4 Daemons: a host port of theirs is taken wherever they run',
    ),
    at('what the API refuses', 'the table is big, has good and bad of every operation, and no name twice'),
    at(
      'repair past budgets, do-not-disrupt and terminationGracePeriod',
      'is repaired after the toleration, past budgets, do-not-disrupt and PDBs, with its deadline set to now',
      'its deadline %s',
    ),
    at(
      'do-not-disrupt for a time in a drain',
      'do-not-disrupt for a time keeps it for that time; what is no time is warned about and ignored',
    ),
    at(
      'static pools: replicas, limit, order, drift, deletion',
      'a static pool follows its replicas from ten to fifteen, and takes its nodes along when it goes',
      'keeps to its node limit',
      'gives up empty nodes first and protected ones last',
      'static drift (§7.19)',
    ),
    at(
      'capacity buffers: by template or workload, late targets, taken and refilled, released, drift, quick changes',
      'launches nodes for its pieces, then finds room on them; its pods nominate nothing',
      'measures itself by a workload, whose absence and kind it tells',
      'tells what it cannot find, and heals when it appears',
      'their nodes are not empty, are refilled when pods take them, and go with the buffer',
      'their nodes drift all the same, and nothing is left over',
      'made, changed and deleted in quick succession they leave nothing behind',
    ),
    without('100 pods, and drift that begins in 5 s and ends in 10 min', PERFORMANCE),
  ],
  '7.30 Performance': [without('thresholds of memory, processor and time', PERFORMANCE)],
  'Bad input': [
    at(
      'overlapping budgets',
      'the least applicable budget of each reason counts',
      'hits that overlap extend the window',
    ),
    at(
      'budgets that cannot be read, schedules in a zone',
      'a pool with a broken budget keeps its own nodes, and only those',
      '%s makes it 0 for every reason, and says why',
      '%s is refused',
    ),
    at(
      'a consolidateAfter that cannot be read',
      'a consolidateAfter that cannot be read is Never, for its own pool only',
    ),
    at(
      'PodDisruptionBudgets with both fields or none, several on a pod',
      '%s: blocks now and for ever as it says',
      'two PDBs on a pod block, and both are named',
      'two on one pod have their own text',
    ),
    at(
      'nodes without claims',
      'a node without a claim is drained and let go at once',
      'a node without a claim, and a claim without a Node, are none',
    ),
    at(
      'claims whose instance was deleted by hand',
      'a claim whose instance was deleted by hand goes, and its pool goes on',
      'are deleted once their nodes are not ready',
    ),
    at('foreign finalizers', 'a foreign finalizer survives, and keeps the node'),
    at(
      'a provider that answers nonsense',
      'holds up only the pool that it is about; the others’ nodes go',
      'an error of the provider is tried again',
      'stay while the cloud cannot be asked',
    ),
  ],
}
