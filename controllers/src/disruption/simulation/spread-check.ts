import {
  allocatableOf,
  cachedRequests,
  fitSpread,
  type InstanceType,
  type PlannedClaim,
  type SpreadTarget,
} from '@kerf/engine'
import type { Candidate } from '../candidates/candidate.ts'
import { addTo, amountsOf, sumOf } from '../candidates/resource-amounts.ts'
import type { Simulation } from './simulator.ts'

/**
 * Whether a move that needs a new node holds although kube-scheduler places pods as it likes. It surely does where all of
 * the nodes' pods go to the new one. Where some are to fill gaps of others, they may be put on the new node first, and one
 * is left over that fits in no gap: another node would be bought for it, and the saving be gone.
 */
export const holdsSpread = (
  candidates: readonly Candidate[],
  { placements, nodes }: Pick<Simulation, 'placements' | 'nodes'>,
  claim: PlannedClaim,
  type: InstanceType,
): boolean => {
  const onNew = new Set(claim.pods)
  if (candidates.every(({ reschedulable }) => reschedulable.every((pod) => onNew.has(pod)))) return true
  const daemons = new Map(amountsOf(claim.requests))
  addTo(daemons, sumOf(claim.pods), -1n)
  const targets: SpreadTarget[] = [{ allocatable: allocatableOf(type), used: daemons }]
  for (const { node } of placements) {
    const state = nodes.get(node)
    if (state !== undefined) targets.push({ allocatable: amountsOf(state.allocatable), used: sumOf(state.pods) })
  }
  return fitSpread([...claim.pods, ...placements.flatMap(({ pods }) => pods)].map(cachedRequests), targets)
}
