import { at, type Fact, UPSTREAM_LIMITS, without } from './fact.ts'

/** Facts about emptiness and consolidation: what is deleted, what is replaced, and how it is reported. */
export const consolidationSections: Readonly<Record<string, readonly Fact[]>> = {
  Emptiness: [
    at('budgets in numbers and per cent', 'with a budget of %s, %i of ten nodes are disrupted at a time'),
    at('budgets of several pools', 'budgets apply per pool: one command takes two nodes from each of three pools'),
    at(
      'an empty node goes, as Empty also when it drifted',
      'a drifted empty node is disrupted as Empty, or as Drifted if consolidation is off',
    ),
    at(
      'not without Consolidatable',
      'emptiness and consolidation require Consolidatable, which is %s',
      'if Consolidatable is removed, the node stays',
      'nodes are Consolidatable only after consolidateAfter',
    ),
    at(
      'do-not-disrupt "true" and "false"',
      'a node with do-not-disrupt "true" is kept, and a node with "false" is deleted',
    ),
    at(
      'what counts as empty: daemons, ending pods, ending StatefulSet pods',
      'a node with a pod is not empty; daemon pods and terminating pods do not count, except terminating StatefulSet pods',
      'a node with a pod whose eviction costs nothing still counts as empty',
    ),
    at(
      'pending pods keep the node that they are nominated for',
      'places later pods on nodes that are still starting, and launches no more nodes',
      'if pods are placed on the nodes meanwhile, %s counts %i failures, is reported as %s, and runs once no pods are expected',
    ),
    at(
      'the wait of 15 s',
      '%s: the first taint comes fifteen seconds after the decision',
      'after 15 s the node is tainted, gets the reason, and is deleted and reported',
      'if a pod arrives during the wait, its node is kept and the other nodes are deleted',
    ),
    at(
      'nodes of static pools are never disrupted as empty',
      'nodes of static pools are never disrupted as empty',
      'nodes of static pools are never disrupted as empty or underutilized',
    ),
    at(
      'buffer pods protect their node',
      'a node with buffer pods is not empty until they are gone, separately for each node',
      'their nodes do not count as empty, are replaced when pods use them, and are deleted with the buffer',
    ),
  ],
  'Events and metrics of consolidation': [
    at(
      'how often Unconsolidatable is said: of policies, unknown types and missing labels',
      '%s: the message is published as often as the case says in one pass',
      'for a node in use in a WhenEmptyOrUnderutilized pool, only the reason why its move fails is reported, not the policy',
    ),
    at(
      'failed validations: counted, not stamped',
      'drops a whole command for several nodes; a single node is then disrupted in the same pass',
      '%s is reported as %s, and the command is tried again even if nothing else changes',
      'if pods are placed on the nodes meanwhile, %s counts %i failures, is reported as %s, and runs once no pods are expected',
      'if a budget drops to %s while empty nodes wait, %i are disrupted and %i are counted as failed',
      'if a pod arrives during the wait, its node is kept and the other nodes are deleted',
    ),
  ],
  'Budgets of consolidation': [
    at(
      'as many as budgets allow, also of several pools',
      'several nodes are deleted at once, as far as the budget allows',
      'respects how many nodes of each pool may be disrupted',
    ),
    at(
      'blocked by budgets nothing is stamped',
      'a budget of 0 stops all methods, and a change of the budget is enough to resume them',
      'a budget with a schedule applies exactly until its window ends',
    ),
  ],
  Replace: [
    at(
      'by a cheaper one, spot with 15 cheaper types',
      'an oversized node is deleted after a cheaper replacement is ready',
      'spot-to-spot consolidation requests exactly the 15 cheapest types, or more if minValues requires it',
    ),
    at(
      'spot for spot is refused',
      'spot-to-spot consolidation is refused if the gate is off, and if there are fewer than 15 cheaper types',
    ),
    at(
      'types are ordered by price before they are cut',
      'one node needs 15 cheaper types, and the claim lists exactly the 15 cheapest',
    ),
    at('minValues above and below 15', 'the claim lists more types if minValues needs them, but never fewer than 15'),
    at(
      'the same-type filter and minValues',
      'the cheapest type that a replaced node has, and all more expensive types, are removed',
      'minValues must hold after the filter',
    ),
    at(
      'the price filter and minValues',
      'if no cheaper node satisfies minValues, this is reported, even under BestEffort',
    ),
    at(
      'a pool without types does not block',
      'another pool without instance types, or that is not Ready, does not block',
    ),
    at(
      'PodDisruptionBudgets: the other node, unhealthy pods, other namespaces',
      'if a PDB or do-not-disrupt protects one node, the other is chosen, even with a terminationGracePeriod',
      'none if the pod is unhealthy and the budget allows the eviction of unhealthy pods',
      'a PDB in another namespace does not block',
    ),
    at(
      'not for the worst spot price, nor a dearer on-demand one',
      'the most expensive spot offering within the requirements counts',
      'a node is not replaced by a node of the same price',
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
      'if a PDB or do-not-disrupt protects one node, the other is chosen, even with a terminationGracePeriod',
    ),
    at(
      'do-not-disrupt for a time, and nonsense',
      'do-not-disrupt with a duration protects a pod until the duration ends; an invalid value does not protect it',
    ),
    at(
      'pods without an owner are evicted',
      'a node whose pods fit elsewhere is deleted after the wait, without a new node',
    ),
    at(
      'not onto a node that is coming up; those that are up come first',
      'pods are not moved if their place would be on a node that is still starting',
      'initialized nodes come first',
    ),
    at(
      'a destination inside its consolidateAfter',
      'running pods are not moved to a node that is within its consolidateAfter',
    ),
    at(
      'pods that wait anyway, and pods that would have to',
      'a permanently pending pod does not block consolidation, but a running pod that would become pending does',
    ),
    at('an invalid pool does not block', 'another pool without instance types, or that is not Ready, does not block'),
  ],
  'The wait': [
    at('for fifteen seconds', '%s: the first taint comes fifteen seconds after the decision'),
    at('types change', 'if the planned type of a replacement is withdrawn, the node stays'),
    at('pods that do not fit, or are protected, arrive', '%s: the command is dropped and reported'),
    at(
      'a budget that forbids it appears, for delete and replace',
      'a PodDisruptionBudget that allows no eviction keeps %s',
    ),
  ],
  'Several nodes': [
    at(
      'three become one: on-demand, spot and mixed',
      'three nodes are replaced by one cheaper node',
      'with spot-to-spot consolidation on, three %s nodes are replaced by one',
    ),
    at(
      'two of a type never become one of it',
      'two nodes of the same type are not replaced by a new node of that type; one of them is deleted instead',
    ),
    at('consolidateAfter is respected', 'emptiness and consolidation require Consolidatable, which is %s'),
    at('several cheap ones go together', 'several nodes are deleted at once, as far as the budget allows'),
    at(
      'when several fail validation, a single one still acts',
      'drops a whole command for several nodes; a single node is then disrupted in the same pass',
    ),
  ],
  'Other consolidation': [
    at('the best ratio goes first', 'the node with the highest savings per disruption is disrupted first'),
    at('zonal spread is kept', 'the replacement preserves a required topology spread over zones'),
    at('required anti-affinity blocks', 'required anti-affinity keeps pods on different nodes'),
    at(
      'pods that arrive meanwhile; nodes that wait for pods of one that goes',
      'pods that arrive during consolidation do not cause an additional node',
      'a node that was launched for the pods of a terminating node is kept for them',
    ),
    at(
      'nodes move to reservations',
      'a node on %s moves to a reservation, which is cheaper',
      'if there are reserved offerings, their prices decide',
    ),
    at('preferences are dropped under Ignore', 'with preferred anti-affinity and preferencePolicy %s, %i nodes remain'),
    at(
      'BestEffort minValues justify no consolidation',
      'if no cheaper node satisfies minValues, this is reported, even under BestEffort',
    ),
    at(
      'buffer pods',
      'a node in use with buffer pods may be replaced by a cheaper node',
      'virtual pods use capacity, but do not count as unplaced',
      'a node with buffer pods is not empty until they are gone, separately for each node',
    ),
    at(
      'static pools are never consolidated',
      'static pools are never consolidated',
      'nodes of static pools are never disrupted as empty or underutilized',
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
    at('by ratio, never rising', 'candidates are sorted by descending savings per disruption, in a stable order'),
    at('pools take turns', 'pools alternate, and the best candidate of each pool comes first'),
    without('pools that were not looked at go first; a deadline in the past remembers every pool', UPSTREAM_LIMITS),
  ],
  Balanced: [
    at(
      'prices: availability, unknown and unreadable ones',
      'is the price of its own offering, available or not; 0 without an offering, and undefined if the price is unknown',
    ),
    at(
      'of nothing, of other policies',
      'without nodes is rejected; without Balanced pools it is approved without a score',
    ),
    at('missing totals', 'if totals are missing, the move is rejected'),
    at(
      'split by source, any rejecting pool rejects, all have results',
      'savings are divided by the prices of the nodes; one rejecting pool rejects the move, and all pools get scores',
    ),
    at(
      'replacement cost within the requirements',
      'prices of the nodes minus the cheapest offering of each replacement’s first type, within its requirements',
    ),
    at('what is approved and what is rejected', 'the score of a move'),
    at(
      'scale, K',
      'does not depend on the scale of costs and prices',
      'moves that K = 3 approves are rejected with K = 1 and 2',
    ),
    at('a pool with one node', 'the only node of a pool may be disrupted if its pods fit elsewhere'),
    at(
      'end to end',
      'an oversized node is replaced, and an Event publishes the score of the move',
      'a full node with many pods is kept, because its savings are small compared to other nodes, which %s',
      'under %s, if moving four pods saves half the price of their node, the node is kept',
      'several nodes with many pods are not consolidated together; the rejection is counted but publishes no Event',
      'several small nodes are disrupted together; a budget of 0% blocks',
      'empty nodes are not scored, and a small budget is spent on them before nodes in use',
    ),
    at(
      'only Balanced is balanced',
      'a pool that is not Balanced takes its share of the savings and cannot reject the move',
    ),
  ],
  Texts: [
    at(
      'failures by kind',
      '%s: the command is dropped and reported',
      '%s is reported as %s, and the command is tried again even if nothing else changes',
    ),
    at(
      'savings',
      'prices of the nodes minus the cheapest offering of each replacement’s first type, within its requirements',
    ),
    at('commands', 'texts', 'decisions'),
    at('candidates are told on two objects', 'an oversized node is deleted after a cheaper replacement is ready'),
    at('pods of all candidates are counted in the log', 'a node may be replaced by several nodes'),
  ],
}
