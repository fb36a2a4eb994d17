import { at, type Fact, UPSTREAM_LIMITS, without } from './fact.ts'

/** Facts about emptiness and consolidation: what is deleted, what is replaced, and how it is reported. */
export const consolidationSections: Readonly<Record<string, readonly Fact[]>> = {
  Emptiness: [
    at('budgets in numbers and per cent', 'a budget of %s takes %i of ten at a time'),
    at('budgets of several pools', 'budgets are per pool: two from each of three pools, in one command'),
    at(
      'an empty node goes, as Empty also when it drifted',
      'a drifted empty node is disrupted as Empty; with consolidation off, as Drifted',
    ),
    at(
      'not without Consolidatable',
      'emptiness and consolidation require Consolidatable, which is %s',
      'if Consolidatable is removed, the node stays',
      'nodes are Consolidatable only after consolidateAfter',
    ),
    at('do-not-disrupt "true" and "false"', 'leaves alone a node with do-not-disrupt "true", takes one with "false"'),
    at(
      'what counts as empty: daemons, ending pods, ending StatefulSet pods',
      'a node with a pod is not empty; daemons and leaving pods do not count, a leaving StatefulSet pod does',
      'a pod whose eviction costs nothing does not keep a node from being empty',
    ),
    at(
      'pending pods keep the node that they are nominated for',
      'places later pods on nodes that are starting instead of launching more',
      'if pods are placed on the nodes meanwhile: %s counts %i, is reported as %s, and is done once no pods are expected',
    ),
    at(
      'the wait of 15 s',
      '%s: fifteen seconds from the decision to the first taint',
      'waits 15 s, taints, writes the reason, deletes and reports',
      'a pod that arrives during the wait saves its node, not the others',
    ),
    at(
      'static pools are never touched',
      'static pools are never touched',
      'nodes of static pools are never empty or underutilized',
    ),
    at(
      'buffer pods protect their node',
      'buffer pods keep a node from being empty until they are gone, separately for each node',
      'their nodes are not empty, are replenished when pods use them, and are deleted with the buffer',
    ),
  ],
  'Events and metrics of consolidation': [
    at(
      'how often Unconsolidatable is said: of policies, unknown types and missing labels',
      '%s: Unconsolidatable is published this many times in one pass',
      'for a busy node of a WhenEmptyOrUnderutilized pool no policy is reported, only why its move fails',
    ),
    at(
      'failed validations: counted, not stamped',
      'for several nodes drops all of them, and a single node is disrupted in the same pass',
      '%s is reported as %s, and tried again without any other change',
      'if pods are placed on the nodes meanwhile: %s counts %i, is reported as %s, and is done once no pods are expected',
      'if a budget closes to %s while empty nodes wait, %i are disrupted and %i are counted',
      'a pod that arrives during the wait saves its node, not the others',
    ),
  ],
  'Budgets of consolidation': [
    at(
      'as many as budgets allow, also of several pools',
      'several nodes are deleted at once, as far as the budget allows',
      'respects the slots of each pool',
    ),
    at(
      'blocked by budgets nothing is stamped',
      'a budget of 0 stops all methods, and its change alone resumes them',
      'a budget with a window holds exactly until the window ends',
    ),
  ],
  Replace: [
    at(
      'by a cheaper one, spot with 15 cheaper types',
      'an oversized node is replaced by a cheaper one that is ready first',
      'spot-to-spot with 15 cheaper types requests exactly the 15 cheapest; more for minValues',
    ),
    at('spot for spot is refused', 'spot-to-spot is refused with the gate off, and with fewer than 15 cheaper types'),
    at(
      'types are ordered by price before they are cut',
      'one node needs 15 cheaper types, and the claim lists exactly the 15 cheapest',
    ),
    at('minValues above and below 15', 'the claim lists more types if minValues needs them, but never fewer than 15'),
    at(
      'the same-type filter and minValues',
      'the cheapest type in common and all more expensive ones are removed',
      'minValues must hold after the filter',
    ),
    at('the price filter and minValues', 'a price filter that violates minValues is reported, also under BestEffort'),
    at(
      'a pool without types does not block',
      'an additional pool without instance types, or one that is not Ready, does not block',
    ),
    at(
      'PodDisruptionBudgets: the other node, unhealthy pods, other namespaces',
      'a PDB, do-not-disrupt on the node and on a pod choose the other node, also with terminationGracePeriod',
      'no budget if it is unhealthy and may be evicted then',
      'a PDB of another namespace does not block',
    ),
    at(
      'not for the worst spot price, nor a dearer on-demand one',
      'the most expensive spot offering within the requirements counts',
      'is never done for the same price: the comparison is strict',
    ),
  ],
  Delete: [
    at(
      'the node whose pods fit elsewhere',
      'a node whose pods fit elsewhere is deleted after the wait, without a new node',
    ),
    at('only stable ones', 'nodes are Consolidatable only after consolidateAfter'),
    at('room on nodes of others counts', 'pods of a Deployment keep running on the remaining nodes'),
    at(
      'PodDisruptionBudgets and do-not-disrupt, also with terminationGracePeriod',
      'a PDB, do-not-disrupt on the node and on a pod choose the other node, also with terminationGracePeriod',
    ),
    at(
      'do-not-disrupt for a time, and nonsense',
      'a duration protects a pod until it ends; an invalid value does not protect',
    ),
    at(
      'pods without an owner are evicted',
      'a node whose pods fit elsewhere is deleted after the wait, without a new node',
    ),
    at(
      'not onto a node that is coming up; those that are up come first',
      'pods that would need a node that is still starting are not moved',
      'initialized nodes come first',
    ),
    at('a destination inside its consolidateAfter', 'a destination within its consolidateAfter takes no running pods'),
    at(
      'pods that wait anyway, and pods that would have to',
      'a permanently pending pod does not block; a running pod that would become pending blocks',
    ),
    at(
      'an invalid pool does not block',
      'an additional pool without instance types, or one that is not Ready, does not block',
    ),
  ],
  'The wait': [
    at('for fifteen seconds', '%s: fifteen seconds from the decision to the first taint'),
    at('types change', 'if the planned type of a replacement is withdrawn, the node stays'),
    at('pods that do not fit, or are protected, arrive', '%s: the command is dropped and reported'),
    at('a budget that forbids it appears, for delete and replace', 'a PodDisruptionBudget that forbids it keeps %s'),
  ],
  'Several nodes': [
    at(
      'three become one: on-demand, spot and mixed',
      'three nodes become one cheaper node',
      'three %s nodes become one too, with spot-to-spot consolidation on',
    ),
    at(
      'two of a type never become one of it',
      'two nodes of a type never become one of that type: one of them is deleted instead',
    ),
    at('consolidateAfter is respected', 'emptiness and consolidation require Consolidatable, which is %s'),
    at('several cheap ones go together', 'several nodes are deleted at once, as far as the budget allows'),
    at(
      'when several fail validation, a single one still acts',
      'for several nodes drops all of them, and a single node is disrupted in the same pass',
    ),
  ],
  'Other consolidation': [
    at('the best ratio goes first', 'the node with the highest savings per disruption is disrupted first'),
    at('zonal spread is kept', 'a required spread over zones is preserved by the replacement'),
    at('required anti-affinity blocks', 'required anti-affinity keeps pods on different nodes'),
    at(
      'pods that arrive meanwhile; nodes that wait for pods of one that goes',
      'pods that arrive meanwhile do not cause an additional node',
      'a node that was launched for the pods of a leaving node is reserved for them',
    ),
    at(
      'nodes move to reservations',
      'a node on %s moves to a reservation, which is cheaper',
      'reserved offerings decide if there are any',
    ),
    at('preferences are dropped under Ignore', 'preferred anti-affinity under preferencePolicy %s leaves %i nodes'),
    at(
      'BestEffort minValues justify no consolidation',
      'a price filter that violates minValues is reported, also under BestEffort',
    ),
    at(
      'buffer pods',
      'a busy node with buffer pods may be replaced by a cheaper one',
      'virtual pods take their places, but do not count as unplaced',
      'buffer pods keep a node from being empty until they are gone, separately for each node',
    ),
    at(
      'static pools are never consolidated',
      'static pools are never consolidated',
      'nodes of static pools are never empty or underutilized',
    ),
    at(
      'devices: allocated anew, not on the node that goes, not held elsewhere, together, shared',
      'the claim of a moving pod is allocated again, on a node that has its device',
      'devices that the removed node has published are not available',
      'a free device of another node is used, unless a pod on that node has allocated it',
      'a claim that a pod on another node also uses is not released',
      'pods of several nodes share one node that has devices for all of them',
      'for a shared device, only the moving pods’ share is released',
    ),
  ],
  'The order of single nodes': [
    at('by ratio, never rising', 'descending savings per disruption, in a stable order'),
    at('pools take turns', 'pools alternate, the best candidate of each first'),
    without('pools that were not looked at go first; a deadline in the past remembers every pool', UPSTREAM_LIMITS),
  ],
  Balanced: [
    at(
      'prices: availability, unknown and unreadable ones',
      'is that of its own offering, available or not; 0 without an offering, undefined if it is unknown',
    ),
    at(
      'of nothing, of other policies',
      'without nodes is rejected; without Balanced pools it is approved without a score',
    ),
    at('missing totals', 'missing totals reject'),
    at(
      'split by source, any rejecting pool rejects, all have results',
      'savings are divided by the prices of the nodes; one rejecting pool rejects the move, and all pools get scores',
    ),
    at(
      'replacement cost within the requirements',
      'prices of the nodes minus the cheapest offering of each replacement’s first type, within its requirements',
    ),
    at('what is approved and what is rejected', 'the score of a move'),
    at('scale, K', 'does not depend on scale', 'K = 1 and 2 reject what K = 3 approves'),
    at('a pool with one node', 'the only node of a pool may be disrupted if its pods fit elsewhere'),
    at(
      'end to end',
      'an oversized node is replaced, and the approval is published with its score',
      'a packed node with many pods is kept: its savings are too small to move them, compared to nodes that %s',
      'under %s a node whose move of four pods saves half of it is kept',
      'several nodes with many pods are not merged, and the rejection is counted without an event',
      'several small nodes are disrupted together; a budget of 0% blocks',
      'empty nodes are never scored, and are disrupted before busy nodes if the budget is small',
    ),
    at('only Balanced is balanced', 'a pool that is not Balanced takes its share and cannot reject'),
  ],
  Texts: [
    at(
      'failures by kind',
      '%s: the command is dropped and reported',
      '%s is reported as %s, and tried again without any other change',
    ),
    at(
      'savings',
      'prices of the nodes minus the cheapest offering of each replacement’s first type, within its requirements',
    ),
    at('commands', 'texts', 'decisions'),
    at('candidates are told on two objects', 'an oversized node is replaced by a cheaper one that is ready first'),
    at('pods of all candidates are counted in the log', 'one node may be replaced by several'),
  ],
}
