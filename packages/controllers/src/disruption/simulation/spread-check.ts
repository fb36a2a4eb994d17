import {
  cachedRequests,
  fitSpread,
  type InstanceType,
  type PlannedClaim,
  type SpreadTarget,
  typeAllocatable,
} from '@kerf/engine'
import type { Candidate } from '../candidates/candidate.ts'
import { addTo, resourceAmounts, sumRequests } from '../candidates/resource-amounts.ts'
import type { Simulation } from './simulator.ts'

/**
 * Returns whether a move that needs a new node works even if kube-scheduler places pods differently from the plan. It always works
 * if all pods of the nodes go to the new node. If the plan puts some pods on other nodes, kube-scheduler may put these pods on the
 * new node first. Then a pod that fits nowhere else may not fit on the new node. It would need yet another node, and the savings
 * would be lost.
 */
export const holdsSpread = (
  candidates: readonly Candidate[],
  { placements, nodes }: Pick<Simulation, 'placements' | 'nodes'>,
  claim: PlannedClaim,
  type: InstanceType,
): boolean => {
  const onNew = new Set(claim.pods)
  if (candidates.every(({ reschedulable }) => reschedulable.every((pod) => onNew.has(pod)))) return true
  const daemons = new Map(resourceAmounts(claim.requests))
  addTo(daemons, sumRequests(claim.pods), -1n)
  const targets: SpreadTarget[] = [{ allocatable: typeAllocatable(type), used: daemons }]
  for (const { node } of placements) {
    const state = nodes.get(node)
    if (state !== undefined)
      targets.push({ allocatable: resourceAmounts(state.allocatable), used: sumRequests(state.pods) })
  }
  return fitSpread([...claim.pods, ...placements.flatMap(({ pods }) => pods)].map(cachedRequests), targets)
}
