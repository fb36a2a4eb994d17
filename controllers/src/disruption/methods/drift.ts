import { type Blocker, savingsOf } from '@kerf/engine'
import { driftedSince } from '../budgets/pool-budgets.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { typeNamed } from '../candidates/offered-types.ts'
import type { Replacement } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { Simulation } from '../simulation/simulator.ts'
import type { Method } from './method.ts'

/** Nodes that nobody waits for first, then those that have drifted longest. */
const byUrgency = (a: Candidate, b: Candidate): number => {
  const isBusy = ({ reschedulable }: Candidate): number => (reschedulable.length > 0 ? 1 : 0)
  const since = (candidate: Candidate): string => driftedSince(candidate.claim)
  if (isBusy(a) !== isBusy(b)) return isBusy(a) - isBusy(b)
  if (since(a) !== since(b)) return since(a) < since(b) ? -1 : 1
  return a.name < b.name ? -1 : 1
}

/** What keeps a drifted node: running pods that would find no place. */
export const driftBlocker = (simulation: Simulation): Blocker | undefined =>
  simulation.unplaced.length === 0 ? undefined : { code: 'pods.unschedulable', pods: simulation.unplaced }

/**
 * Replaces nodes of dynamic pools that are not what their pool asks for any more, one at a time, by as many nodes as
 * their pods need and at whatever price (3.6).
 */
export const drift = (events: DisruptionEvents): Method => ({
  name: 'drift',
  reason: 'Drifted',
  class: 'eventual',
  type: '',
  isValidated: false,
  compute: async (candidates, round, budgets, signal) => {
    if (candidates.length > 0 && !round.canSimulate) return []
    for (const candidate of candidates.toSorted(byUrgency)) {
      if (budgets.left(candidate.poolName) === 0) continue
      const simulation = await round.simulate([candidate], false, signal)
      const blocker = driftBlocker(simulation)
      if (blocker !== undefined) {
        round.driftObstacles.set(candidate, blocker)
        events.blocked(candidate.state, blocker)
        continue
      }
      const replacements = plannedReplacements(simulation, round)
      if (replacements === undefined) continue
      const command = { method: 'drift', reason: 'Drifted', type: '', candidates: [candidate] } as const
      const savings = savingsOf([candidate], simulation.claims, (pool, name) => typeNamed(round.types, pool, name))
      return [{ ...command, replacements, placements: simulation.placements, savings }]
    }
    return []
  },
})

const plannedReplacements = (simulation: Simulation, round: DisruptionPass): readonly Replacement[] | undefined => {
  const replacements: Replacement[] = []
  for (const claim of simulation.claims) {
    const pool = round.types.get(claim.nodePool)?.pool
    if (pool === undefined) return undefined
    replacements.push({ kind: 'planned', claim, pool })
  }
  return replacements
}
