import { type NodePool, parseQuantity, toWhole } from '@kerf/apis'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { Method } from './method.ts'

const nodeLimitOf = (pool: NodePool): number => {
  const nodes = pool.spec.limits?.['nodes']
  return nodes === undefined ? Number.POSITIVE_INFINITY : toWhole(parseQuantity(nodes))
}

/**
 * Replaces drifted nodes of static pools one for one, as their template says, as far as budgets and the headroom under
 * the limit on nodes go (3.6). Whoever starts the commands releases the reservations.
 */
export const staticDrift = (state: ClusterState): Method => ({
  name: 'static-drift',
  reason: 'Drifted',
  class: 'eventual',
  type: '',
  isValidated: false,
  compute: async (candidates, _round, budgets) => {
    const byPool = Map.groupBy(candidates, ({ poolName }) => poolName)
    const commands: Command[] = []
    for (const [name, members] of byPool) {
      const pool = members[0]?.pool
      if (pool === undefined || budgets.left(name) === 0) continue
      const { active, pendingDisruption } = state.claims.counts(name)
      // What is too much goes first.
      if (active + pendingDisruption > (pool.spec.replicas ?? 0)) continue
      const wanted = Math.min(budgets.left(name), members.length)
      const granted = state.claims.reserve(name, nodeLimitOf(pool), wanted)
      commands.push(
        ...members
          .toSorted(byName)
          .slice(0, granted)
          .map((candidate) => replaceBy(pool, candidate)),
      )
    }
    return commands
  },
})

const byName = (a: Candidate, b: Candidate): number => (a.name < b.name ? -1 : 1)

const replaceBy = (pool: NodePool, candidate: Candidate): Command => ({
  method: 'static-drift',
  reason: 'Drifted',
  type: '',
  candidates: [candidate],
  replacements: [{ kind: 'template', pool }],
  placements: [],
  savings: 0,
})
