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

/** A new node: what it is bought for, and what it will be. */
export interface Launch {
  readonly claim: PlannedClaim
  readonly type: InstanceType
}

/**
 * Whether a move that needs new nodes holds although kube-scheduler places pods as it likes. It surely does where all of
 * the nodes' pods go to the only new one. Where some are to fill gaps of others, they may be put on a new node first, and one
 * is left over that fits in no gap: another node would be bought for it, and the saving be gone.
 */
export const holdsSpread = (
  candidates: readonly Pick<Candidate, 'reschedulable'>[],
  { placements, nodes }: Pick<Simulation, 'placements' | 'nodes'>,
  launches: readonly Launch[],
): boolean => {
  const onNew = new Set(launches.flatMap(({ claim }) => claim.pods))
  const areAllOnNew = candidates.every(({ reschedulable }) => reschedulable.every((pod) => onNew.has(pod)))
  if (launches.length === 1 && areAllOnNew) return true
  const targets: SpreadTarget[] = launches.map(({ claim, type }) => {
    const daemons = new Map(amountsOf(claim.requests))
    addTo(daemons, sumOf(claim.pods), -1n)
    return { allocatable: allocatableOf(type), used: daemons }
  })
  for (const { node } of placements) {
    const state = nodes.get(node)
    if (state !== undefined) targets.push({ allocatable: amountsOf(state.allocatable), used: sumOf(state.pods) })
  }
  return fitSpread([...onNew, ...placements.flatMap(({ pods }) => pods)].map(cachedRequests), targets)
}
