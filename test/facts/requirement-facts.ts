import { at, type Fact, without } from './fact.ts'

/** Requirements and their sets, and the small parts of scheduling that have separate tests. */
export const requirementSections: Readonly<Record<string, readonly Fact[]>> = {
  Requirement: [
    'intersection of every two operators is the intersection of their sets',
    'intersections worth a line of their own',
    'minValues of either side stays, the larger of two, on empty results too',
    'which values each operator has',
    'operator and length of each',
    'any value is one that the requirement has',
    'each as text',
    'as it is written, bounds become Gte and Lte, minValues stays',
    'Gte and Lte',
    'old names of labels mean the new ones, wherever they stand',
  ],
  'Sets of requirements': [
    'may a node with the left take the right',
    'an old name on one side and the new one on the other are the same label',
    'an unknown label gets the hint that fits',
    'a set as NodeClaims carry it, sorted, with minValues, bounds as two entries',
  ],
  Units: [
    'host ports clash by port, protocol and address',
    'huge pages are taken out of memory, which never falls below nothing',
    'offerings with overrides make allocatable amounts of their own',
    'pools go by weight, then by name from the end of the alphabet',
    'requests of a pod',
    'requests while a pod is resized',
    'the largest and the smallest of lists of resources',
    'taints that count on a pool are those of its template',
    at(
      'ephemeral and readiness taints are known by key and effect',
      'ephemeral taints are recognised by key and effect, readiness taints by their prefix',
    ),
    at('price adjustments in per cent, by an amount, or to an amount, never below nothing', '%d after %s is %d'),
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
      'is built from the template if there is no real pod: limits replace missing requests',
    ),
    at(
      'a claim is found by provider ID, and by nothing else',
      'a managed node is ignored until it can be joined to its claim',
      'a claim counts when it has an instance, under its own name until the node is registered',
    ),
    at(
      'pods that want another place: not daemons, not those that have ended',
      'is reschedulable when its node is deleted',
    ),
    at(
      'disruption budgets that never allow anything, two on a pod, and unhealthy pods',
      'a pod is blocked by',
      'several budgets, whatever they say: the eviction API refuses',
      'no budget if it is unhealthy and may be evicted then',
    ),
    at('do-not-disrupt: absent, for ever, for a time, past, invalid', 'do-not-disrupt', 'protects only active pods'),
    at(
      'pods that claim devices are recognised',
      'devices may be requested by the pod, a container or an init container',
    ),
    at(
      'concurrency and request rate grow with the cores',
      'from %i to %i at %i millicores is %i',
      'the rate grows with it',
    ),
  ],
}
