import type { ClusterSnapshot, Plan } from '@kerf/engine'
import type { ClusterState } from '../../state/cluster-state.ts'
import { isExpectedPod } from './expected-pod.ts'

/** Returns the targets of places by the name of the node in the snapshot: its NodeClaim, or the Node if it has no NodeClaim. */
export const planTargets = ({ nodes }: ClusterSnapshot): ReadonlyMap<string, string> =>
  new Map(nodes.map(({ name, nodeClaim }) => [name, nodeClaim ?? name]))

/**
 * Returns a function that tells whether an existing pod will be planned for a NodeClaim once this plan is carried out. The plan may move
 * pods to other nodes. Pods that are not in the plan keep their places.
 */
export const targetsOfPlan = (
  plan: Plan,
  snapshot: ClusterSnapshot,
  { placements }: Pick<ClusterState, 'placements'>,
): ((claim: string) => boolean) => {
  const targets = planTargets(snapshot)
  const planned = new Set<string>()
  const decided = new Set<string>()
  for (const { node, pods } of plan.placements) {
    const existing = pods.filter((pod) => !isExpectedPod(pod))
    if (existing.length > 0) planned.add(targets.get(node) ?? node)
    for (const { metadata } of existing) decided.add(metadata.uid ?? '')
  }
  for (const { pods } of plan.claims) for (const { metadata } of pods) decided.add(metadata.uid ?? '')
  return (claim) => planned.has(claim) || placements.to(claim).some(({ uid }) => !decided.has(uid))
}
