import { at, type Fact, without } from './fact.ts'

/** Facts about requirements and their sets, and about details of scheduling that have separate tests. */
export const requirementSections: Readonly<Record<string, readonly Fact[]>> = {
  Requirement: [
    'the intersection of two requirements accepts exactly the values that both accept',
    'special intersections',
    'minValues of either side is kept, the larger of two, even for an empty result',
    'which values each operator accepts',
    'the operator and number of values of each requirement',
    'the example value of a requirement satisfies it',
    'each requirement as text',
    'when written out, bounds become Gte and Lte, and minValues is kept',
    'Gte and Lte',
    'deprecated label names are replaced by the current ones everywhere',
  ],
  'Sets of requirements': [
    'whether a node with the left requirements accepts the right ones',
    'a deprecated label name on one side matches the current name on the other',
    'an unknown label leads to a suitable hint',
    'in the form of NodeClaims, a set is sorted, keeps minValues, and has bounds as two entries',
  ],
  Units: [
    'host ports conflict by port, protocol and address',
    'huge pages reduce memory, which never becomes negative',
    'offerings with overrides have separate allocatable amounts',
    'pools are ordered by weight, then by name in descending order',
    'requests of a pod',
    'requests while a pod is resized',
    'the maximum and the minimum of lists of resources',
    'the taints of a pool are those of its template',
    at(
      'ephemeral and readiness taints are known by key and effect',
      'ephemeral taints are recognised by key and effect, and readiness taints by their prefix',
    ),
    at(
      'price adjustments in per cent, by an amount, or to an amount, never below nothing',
      'the price %d with the adjustment "%s" becomes %d',
    ),
    at(
      'errors of the provider keep their kind when they are wrapped, and name it in metrics',
      'a create error keeps the claim, with its reason and message, until the launch succeeds',
    ),
    without(
      'copies of dynamic resources do not share anything',
      'Snapshots and catalogues are never changed after they were handed out, so nothing is copied; the edge case of shared lists plans with frozen types.',
    ),
    at(
      'the pod that a DaemonSet would run is made of its template; limits stand in for missing requests',
      'is built from the template if no pod exists, and limits replace missing requests',
    ),
    at(
      'a claim is found by provider ID, and by nothing else',
      'a managed node is ignored until it can be joined to its claim',
      'a claim counts from the time it has an instance, and under its own name until the node is registered',
    ),
    at(
      'pods that want another place: not daemons, not those that have ended',
      'whether a pod is reschedulable when its node is deleted',
    ),
    at(
      'disruption budgets that never allow anything, two on a pod, and unhealthy pods',
      'the PodDisruptionBudgets that block a pod',
      'all budgets if there are several, because the eviction API refuses such a pod',
      'none if the pod is unhealthy and the budget allows the eviction of unhealthy pods',
    ),
    at('do-not-disrupt: absent, for ever, for a time, past, invalid', 'do-not-disrupt', 'protects only active pods'),
    at('pods that claim devices are recognised', 'the pod, a container or an init container may request devices'),
    at(
      'concurrency and request rate grow with the cores',
      'from %i to %i at %i millicores is %i',
      'the retry rate grows with the concurrency',
    ),
  ],
}
