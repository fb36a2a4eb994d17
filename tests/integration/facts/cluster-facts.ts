import { at, type Fact, without } from './fact.ts'

const PERFORMANCE =
  'Upstream’s thresholds are for its own process on its own machines. Ours are benchmarks: `npm run bench:consolidation`, `bench:beside`, `bench:scheduling`, `bench:informers`.'

/** Facts about a whole cluster: its state, long runs, and the handling of invalid objects. */
export const clusterSections: Readonly<Record<string, readonly Fact[]>> = {
  Infrastructure: [
    at(
      'events: duplicates, windows, rates',
      'drops equal events within a window of two minutes, unless the event sets another',
      'shares one bucket among all events that name it, and checks it after the deduplication window',
      'events about one object cannot flood the cluster',
    ),
    at(
      'options',
      'have upstream’s names and defaults',
      'a flag overrides the environment, which overrides the default',
      'gates that are not listed keep their default, unknown gates are ignored',
      'CPU_REQUESTS of zero counts as one core',
    ),
    at('concurrency', 'from %i to %i at %i millicores is %i', 'the rate grows with it'),
    without(
      'the tracked cost of a pool',
      'Balanced totals are summed from the prices of the moment, each time they are asked for: there is nothing to track.',
    ),
    at(
      'PodDisruptionBudgets',
      'several budgets, whatever they say: the eviction API refuses',
      'no budget if it is unhealthy and may be evicted then',
    ),
    at(
      'metrics',
      'have series for capacity and requests, which disappear with the node',
      'have series for their state and waiting times',
      'have series for count, duration, transitions and events',
    ),
  ],
  'Regression on a cluster': [
    at(
      'told in the sandbox and on a real control plane: scale, drift, expiration, PodDisruptionBudgets, budgets in a window, do-not-disrupt, terminationGracePeriod, static pools',
      'the life of nodes, in the sandbox',
    ),
    at(
      'chaos: a taint on every new node',
      'a user who taints every new node does not get many nodes under %s after %s',
    ),
    at('drift under budgets of a half', 'half of the nodes may drift at a time'),
    at(
      'budgets of 0, and of 0 in a window',
      'a budget of 0 stops all methods, and its change alone resumes them',
      'a budget with a window holds exactly until the window ends',
    ),
    at(
      'what drifts: fields of the template, requirements; another version of the hash does not',
      '%s of the template drift the nodes of the pool, and of no other pool',
      'is set for a changed template and for unmet requirements, and removed with its cause',
      'a new hash version updates the hash of claims, except of those that have drifted',
    ),
    at(
      'a replacement that never registers or initialises',
      'if no replacement ever %s, no node is removed: one is tainted at a time',
    ),
    at('PodDisruptionBudgets over unhealthy pods', 'no budget if it is unhealthy and may be evicted then'),
    at(
      'six pods in tiers, pods under terminationGracePeriod, the end of the instance',
      'ordinary pods, ordinary daemons, critical pods, critical daemons: one tier after the other',
      'a pod with 60 s of a 300 s period is kept at 90 s and deleted at 240 s, with the remaining time',
      'it is cordoned and drained, its instance is terminated, and its finalizer and claim are removed last',
    ),
    at(
      'claims of their own: by resources, with all that they say, deleted, not registered, without a class; unknown instances',
      'C13 create never picks a type that is too small',
      'labels, annotations, taints and startup taints of the claim are copied to the node, with finalizer and owner',
      'its node is deleted and drained first',
      'a claim that does not register is deleted fifteen minutes after its creation',
      'C14 a missing or deleting node class is insufficient capacity, with an event',
      'C15 a node class that is not ready, or not known to be, launches nothing',
      'B01 a leaked instance is terminated, and its Node deleted',
    ),
    at(
      'daemons: what LimitRanges give them, host ports',
      'is the real one without its host affinity, with the node affinity of the template',
      'Daemons: their host ports are in use on every node where they run',
    ),
    at(
      'what the API refuses',
      'the table is large, has accepted and refused cases of every operation, and no duplicate names',
    ),
    at(
      'repair past budgets, do-not-disrupt and terminationGracePeriod',
      'is repaired after the toleration, regardless of budgets, do-not-disrupt and PDBs, with its deadline set to now',
      'its deadline %s',
    ),
    at(
      'do-not-disrupt for a time in a drain',
      'do-not-disrupt with a duration protects for that time; an invalid duration is reported and ignored',
    ),
    at(
      'static pools: replicas, limit, order, drift, deletion',
      'a static pool follows its replicas from ten to fifteen, and its nodes are deleted with it',
      'respects its node limit',
      'deletes empty nodes first and protected nodes last',
      'static drift',
    ),
    at(
      'capacity buffers: by template or workload, late targets, taken and refilled, released, drift, quick changes',
      'launches nodes for its replicas, then finds capacity on them; its pods are not nominated',
      'gets its size from a workload, and reports a missing workload or a wrong kind',
      'reports what is missing, and recovers when it appears',
      'their nodes are not empty, are replenished when pods use them, and are deleted with the buffer',
      'their nodes are replaced for drift, and nothing is left over',
      'buffers that are created, changed and deleted in quick succession leave nothing behind',
    ),
    without('100 pods, and drift that begins in 5 s and ends in 10 min', PERFORMANCE),
  ],
  Performance: [without('thresholds of memory, processor and time', PERFORMANCE)],
  'Bad input': [
    at(
      'overlapping budgets',
      'the smallest applicable budget of each reason counts',
      'hits that overlap extend the window',
    ),
    at(
      'budgets that cannot be read, schedules in a zone',
      'a pool with an invalid budget keeps only its own nodes',
      '%s allows no disruption for any reason, and the error says why',
      'schedule %s is refused',
    ),
    at('a consolidateAfter that cannot be read', 'an invalid consolidateAfter counts as Never, for its own pool only'),
    at(
      'PodDisruptionBudgets with both fields or none, several on a pod',
      '%s: blocks now and permanently as specified',
      'two PDBs on a pod block, and both are named',
      'two budgets on one pod have their own message',
    ),
    at(
      'nodes without claims',
      'a node without a claim is drained and released at once',
      'a node without a claim, and a claim without a Node, are no candidates',
    ),
    at(
      'claims whose instance was deleted by hand',
      'a claim whose instance was deleted by hand is removed, and its pool is not affected',
      'are deleted once their nodes are not ready',
    ),
    at('foreign finalizers', 'another finalizer stays, and keeps the node'),
    at(
      'a provider that returns invalid instance types',
      'affects only the pool in question; nodes of the other pools are disrupted',
      'an error of the provider is retried',
      'stay while the cloud does not answer',
    ),
  ],
}
