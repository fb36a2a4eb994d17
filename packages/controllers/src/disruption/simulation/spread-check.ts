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
 * Returns whether a move that needs a new node also works if kube-scheduler places the pods differently. If the plan places all pods on the
 * new node, the move always works. If the plan places some pods on other nodes, kube-scheduler may place them on the new node first. Then a
 * pod that fits nowhere else might not fit on the new node either. It would need yet another node, and the savings would be lost.
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
