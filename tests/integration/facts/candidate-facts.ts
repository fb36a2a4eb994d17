import { at, type Fact, UPSTREAM_LIMITS, without } from './fact.ts'

/** Facts about disruption candidates: which nodes may be disrupted, what their disruption costs and how many the budgets allow. */
export const candidateSections: Readonly<Record<string, readonly Fact[]>> = {
  Candidates: [
    at('a plain node is a candidate', 'a plain node is a candidate'),
    at(
      'do-not-disrupt pods block, with terminationGracePeriod only the graceful methods',
      'a do-not-disrupt pod blocks every method; with a terminationGracePeriod it blocks only graceful methods',
    ),
    at(
      'blocked PodDisruptionBudgets block, with terminationGracePeriod only the graceful methods',
      'a PDB that allows no disruption blocks every method; with a terminationGracePeriod it blocks only graceful methods',
    ),
    at(
      'do-not-disrupt counts on pods of daemons and on mirror pods',
      'daemon pods and mirror pods with do-not-disrupt block the node',
    ),
    at(
      'pods that end or have ended block nothing, mirror pods are no matter of budgets',
      'terminating and finished pods do not block',
    ),
    at(
      'two PodDisruptionBudgets on a pod block',
      'two PDBs that select the same pod block it, and the message names both',
    ),
    at('a budget that allows nothing blocks on pods of daemons too', 'a PDB on a daemon pod blocks'),
    at('Node or NodeClaim alone are none', 'a node without a claim, and a claim without a Node, are not candidates'),
    at(
      'nominated, deleting, marked or uninitialised nodes, without pool label or with that of an unknown pool, annotated ones',
      'blockers of node and pool: annotation, nomination, label, unknown pool, deletion marks, initialization',
    ),
    at('nodes that are deleted, marked or in the queue are none', 'a node is assessed again after a change of %s'),
    at(
      'missing labels of capacity type, zone or type, and unknown types, keep nobody from being one',
      'a node with missing capacity-type, zone and type is a candidate; consolidation reports what is missing',
    ),
    at(
      'each rejection is an event on Node and NodeClaim',
      'the blocker is reported on Node and claim',
      'a node that is not initialized is reported as blocked',
    ),
  ],
  'Eviction cost': [
    at(
      'a pod costs 1; deletion cost and priority raise and lower it, within bounds',
      'is 1 for a pod, changed by its priority and deletion cost, within ±10',
    ),
  ],
  Budgets: [
    at(
      'unmanaged and uninitialised nodes and terminating instances do not count',
      'unmanaged and uninitialized nodes, and nodes whose instance is terminating, do not count',
      'budgets and their use are reported without unmanaged nodes, and removed with the pool',
    ),
    at(
      'what is deleting, marked or not ready takes from the budget, never below nothing, for each reason',
      '%s leave eight of ten, for every reason',
      'if all nodes are being disrupted, the remaining budget is zero and not negative',
      'as many nodes are replaced at a time as the budget allows, and its gauges are set before',
      'if terminating nodes that use up most of a budget are about to be gone, the next command waits for the whole budget',
    ),
    at('0 for all reasons means 0 for each reason', '0 for all reasons means 0 for each reason'),
    at('without an active budget there is no limit', 'without an active budget there is no limit'),
    at('unspecified reasons apply to all', 'absent reasons mean all reasons, and an empty list means none'),
    at('the smallest applicable budget of each reason counts', 'the smallest applicable budget of each reason counts'),
    at(
      'a schedule or number that cannot be read makes it 0',
      '%s allows no disruption for any reason, and the error says why',
    ),
    at(
      'numbers and percentages',
      'percentages are rounded up',
      'without budgets, the default is a single budget of 10%',
    ),
    at('the clock’s zone is ignored', 'weekdays count in UTC'),
    at(
      'active at the hit, in the middle, past it; overlapping windows',
      'open when the schedule matches, and close after the duration',
      'are extended if the schedule matches again before they close',
      'yearly is inactive in June and active on New Year’s Day',
    ),
    at('a reversed range is refused', 'schedule %s is refused'),
  ],
  Simulation: [
    at(
      'pods of deleting nodes may count on nodes that are coming up',
      'only pods that must move anyway may be placed on a node that is still starting',
    ),
    at(
      'several replacements in a row see each other; nothing is launched twice',
      'each replaced node gets one replacement, even if many commands run at once',
    ),
    at(
      'a node with a local volume can be replaced',
      'a node can be replaced although its pod uses a local volume with affinity to the node’s host name',
    ),
  ],
  Taints: [
    at('what an earlier process left is removed', 'the next pass removes the taint and DisruptionReason'),
    at(
      'a failed replacement takes taint and condition back',
      'the node is uncordoned, and loses its DisruptionReason and deletion mark',
    ),
  ],
  Metrics: [
    at(
      'decisions by method: empty, drifted, several, single; by pool once for a command',
      'budgets apply per pool: one command takes two nodes from each of three pools',
      'after 15 s the node is tainted, gets the reason, and is deleted and reported',
      'a node in use is deleted after its replacement is ready, and the replacement may cost more',
      'three nodes are replaced by one cheaper node',
      'several nodes are deleted at once, as far as the budget allows',
    ),
    without('multi-node stops at its deadline', UPSTREAM_LIMITS),
    at('eligible nodes are 0, then 1', 'the number of eligible nodes is 0, and 1 when a node may be disrupted'),
  ],
}
