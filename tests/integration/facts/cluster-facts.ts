import { at, type Fact, without } from './fact.ts'

const PERFORMANCE =
  'Upstream’s thresholds are for its own process on its own machines. Ours are benchmarks: `npm run bench:consolidation`, `bench:beside`, `bench:scheduling`, `bench:informers`.'

/** Facts about a whole cluster: its state, long runs, and the handling of invalid objects. */
export const clusterSections: Readonly<Record<string, readonly Fact[]>> = {
  Infrastructure: [
    at(
      'events: duplicates, windows, rates',
      'drops equal Events within two minutes, unless the Event sets another time',
      'shares one token bucket among all Events that name it, and uses it after deduplication',
      'limits the rate of Events about one object',
    ),
    at(
      'options',
      'have upstream’s names and defaults',
      'a flag overrides the environment, which overrides the default',
      'gates that are not listed keep their default, and unknown gates are ignored',
      'zero for CPU_REQUESTS counts as one core',
    ),
    at('concurrency', 'from %i to %i at %i millicores is %i', 'the retry rate grows with the concurrency'),
    without(
      'the tracked cost of a pool',
      'Balanced totals are summed from the prices of the moment, each time they are asked for: there is nothing to track.',
    ),
    at(
      'PodDisruptionBudgets',
      'all budgets if there are several, because the eviction API refuses such a pod',
      'none if the pod is unhealthy and the budget allows the eviction of unhealthy pods',
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
      'if a user taints every new node, Kerf does not launch many nodes under %s after %s',
    ),
    at('drift under budgets of a half', 'with a budget of half of the nodes'),
    at(
      'budgets of 0, and of 0 in a window',
      'a budget of 0 stops all methods, and a change of the budget is enough to resume them',
      'a budget with a schedule applies exactly until its window ends',
    ),
    at(
      'what drifts: fields of the template, requirements; another version of the hash does not',
      'after a change of %s in the template, the nodes of this pool drift, and those of other pools do not',
      'is set for a changed template and for unmet requirements, and removed when the difference is gone',
      'a new hash version updates the hashes of claims, except of claims that have drifted',
    ),
    at(
      'a replacement that never registers or initialises',
      'if no replacement ever %s, no node is removed, and at most one is tainted at a time',
    ),
    at(
      'PodDisruptionBudgets over unhealthy pods',
      'none if the pod is unhealthy and the budget allows the eviction of unhealthy pods',
    ),
    at(
      'six pods in tiers, pods under terminationGracePeriod, the end of the instance',
      'ordinary pods, ordinary daemons, critical pods and critical daemons are evicted tier by tier',
      'a pod with a grace period of 60 s is kept at 90 s, and deleted at 240 s of a 300 s deadline',
      'first it is cordoned and drained, then its instance is terminated, and finally its finalizer and claim are removed',
    ),
    at(
      'claims of their own: by resources, with all that they say, deleted, not registered, without a class; unknown instances',
      'C13 create never picks a type that is too small',
      'the node gets labels, annotations, taints and startup taints of the claim, and a finalizer and an owner',
      'and its node is deleted and drained first',
      'a claim that does not register is deleted fifteen minutes after its creation',
      'C14 a missing or deleted node class is insufficient capacity, with an event',
      'C15 a node class that is not ready, or whose readiness is unknown, launches nothing',
      'B01 a leaked instance is terminated, and its Node deleted',
    ),
    at(
      'daemons: what LimitRanges give them, host ports',
      'is an existing pod, with the node affinity of the template instead of the host affinity',
      'Daemons: their host ports are in use on every node where they run',
    ),
    at(
      'what the API refuses',
      'there are many cases, including accepted and refused ones of every operation, and no duplicate names',
    ),
    at(
      'repair past budgets, do-not-disrupt and terminationGracePeriod',
      'is repaired after the toleration despite budgets, do-not-disrupt and PDBs, and its deadline is set to now',
      'has a deadline that %s',
    ),
    at(
      'do-not-disrupt for a time in a drain',
      'do-not-disrupt with a duration protects the pod for that time; an invalid duration is reported and ignored',
    ),
    at(
      'static pools: replicas, limit, order, drift, deletion',
      'a static pool scales from ten to fifteen replicas, and deleting the pool deletes its nodes',
      'respects its node limit',
      'deletes empty nodes first and protected nodes last',
      'static drift',
    ),
    at(
      'capacity buffers: by template or workload, late targets, taken and refilled, released, drift, quick changes',
      'launches nodes for its replicas, then counts their capacity as reserved; its pods are not nominated',
      'gets its size from a workload, and reports a missing workload or an unsupported kind',
      'reports which object is missing, and recovers when the object exists',
      'their nodes do not count as empty, are replaced when pods use them, and are deleted with the buffer',
      'their nodes are replaced when they drift, and no additional node remains',
      'buffers that are created, changed and deleted in quick succession leave nothing behind',
    ),
    without('100 pods, and drift that begins in 5 s and ends in 10 min', PERFORMANCE),
  ],
  Performance: [without('thresholds of memory, processor and time', PERFORMANCE)],
  'Bad input': [
    at(
      'overlapping budgets',
      'the smallest applicable budget of each reason counts',
      'are extended if the schedule matches again before they close',
    ),
    at(
      'budgets that cannot be read, schedules in a zone',
      'an invalid budget prevents only the disruption of its own pool’s nodes',
      '%s allows no disruption for any reason, and the error says why',
      'schedule %s is refused',
    ),
    at(
      'a consolidateAfter that cannot be read',
      'an invalid consolidateAfter counts as Never, and only for its own pool',
    ),
    at(
      'PodDisruptionBudgets with both fields or none, several on a pod',
      '%s: the pod is blocked now, and permanently, as the case says',
      'two PDBs that select the same pod block it, and the message names both',
      'two PDBs that select the same pod are reported with a separate message',
    ),
    at(
      'nodes without claims',
      'a node without a claim is drained and loses its finalizer at once',
      'a node without a claim, and a claim without a Node, are not candidates',
    ),
    at(
      'claims whose instance was deleted by hand',
      'after a user deletes an instance by hand, its claim is removed and its pool works as before',
      'are deleted once their nodes are not ready',
    ),
    at('foreign finalizers', 'the finalizer of another program stays, so the node is not deleted'),
    at(
      'a provider that returns invalid instance types',
      'does not stop the disruption of nodes in other pools',
      'an error of the provider is retried',
      'stay while the cloud does not respond',
    ),
  ],
}
