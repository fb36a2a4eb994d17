import { at, type Fact, UPSTREAM_LIMITS, without } from './fact.ts'

/** Facts about disruption candidates: which nodes may be disrupted, what their disruption costs and how many the budgets allow. */
export const candidateSections: Readonly<Record<string, readonly Fact[]>> = {
  Candidates: [
    at('a plain node is a candidate', 'a plain node is a candidate'),
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
      'terminating and finished pods do not block',
    ),
    at('two PodDisruptionBudgets on a pod block', 'two PDBs on a pod block, and both are named'),
    at('a budget that allows nothing blocks on pods of daemons too', 'a PDB on a daemon pod blocks'),
    at('Node or NodeClaim alone are none', 'a node without a claim, and a claim without a Node, are no candidates'),
    at(
      'nominated, deleting, marked or uninitialised nodes, without pool label or with that of an unknown pool, annotated ones',
      'node and pool: annotation, nomination, label, unknown pool, deletion marks, initialization',
    ),
    at('nodes that are deleted, marked or in the queue are none', '%s is noticed'),
    at(
      'missing labels of capacity type, zone or type, and unknown types, keep nobody from being one',
      'missing capacity-type, zone and type do not prevent candidacy; consolidation reports them',
    ),
    at(
      'each rejection is an event on Node and NodeClaim',
      'is reported on Node and claim',
      'is reported while the node is not initialized',
    ),
  ],
  'Eviction cost': [
    at(
      'a pod costs 1; deletion cost and priority raise and lower it, within bounds',
      'for a pod: 1, more for priority and deletion cost, within ±10',
    ),
  ],
  Budgets: [
    at(
      'unmanaged and uninitialised nodes and terminating instances do not count',
      'unmanaged and uninitialized nodes, and nodes whose instance is terminating, do not count',
      'budgets and what uses them, without unmanaged nodes; removed with the pool',
    ),
    at(
      'what is deleting, marked or not ready takes from the budget, never below nothing, for each reason',
      '%s leave eight of ten, for every reason',
      'if all nodes are being disrupted, zero are left, never less',
      'budgets: gauges first, then as many nodes at a time as allowed',
      'the rest of a budget is not used while the nodes that use it up are about to be gone',
    ),
    at('0 for all reasons is 0 for each', '0 for all reasons is 0 for each'),
    at('without an active budget there is no limit', 'without an active budget there is no limit'),
    at('unspecified reasons apply to all', 'absent reasons mean all, an empty list none'),
    at('the smallest applicable budget of each reason counts', 'the smallest applicable budget of each reason counts'),
    at(
      'a schedule or number that cannot be read makes it 0',
      '%s allows no disruption for any reason, and the error says why',
    ),
    at('numbers and percentages', 'percentages are rounded up', 'without budgets the default is one of 10%'),
    at('the clock’s zone is ignored', 'weekdays count in UTC'),
    at(
      'active at the hit, in the middle, past it; overlapping windows',
      'open at the hit and close after the duration',
      'hits that overlap extend the window',
      'yearly is inactive in June, active on New Year’s Day',
    ),
    at('a reversed range is refused', 'schedule %s is refused'),
  ],
  Simulation: [
    at(
      'pods of deleting nodes may count on nodes that are coming up',
      'a node that is still starting counts only for pods that must move anyway',
    ),
    at(
      'several replacements in a row see each other; nothing is launched twice',
      'nothing is launched twice for nodes that are being replaced, however many commands run',
    ),
    at(
      'a node with a local volume can be replaced',
      'a node with a pod on a local volume, bound to it by its host name, can be replaced',
    ),
  ],
  Taints: [
    at('what an earlier process left is removed', 'taint and DisruptionReason are removed by the next loop'),
    at(
      'a failed replacement takes taint and condition back',
      'the node is uncordoned, without reason and deletion mark',
    ),
  ],
  Metrics: [
    at(
      'decisions by method: empty, drifted, several, single; by pool once for a command',
      'budgets are per pool: two from each of three pools, in one command',
      'waits 15 s, taints, writes the reason, deletes and reports',
      'a busy node is replaced: the new node is ready before the old one is deleted, and may cost more',
      'three nodes become one cheaper node',
      'several nodes are deleted at once, as far as the budget allows',
    ),
    without('multi-node stops at its deadline', UPSTREAM_LIMITS),
    at('eligible nodes are 0, then 1', 'eligible nodes are 0, then 1 when a node may be disrupted'),
  ],
}
