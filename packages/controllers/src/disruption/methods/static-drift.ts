import { type NodePool, toWhole, tryParseQuantity } from '@kerf/apis'
import type { EligibilityBlocker } from '@kerf/engine'
import { templateClaim } from '../../nodeclaim/template-claim.ts'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import { dynamicPool, isDrifted, notDrifted } from './eligibility-checks.ts'
import type { DisruptionMethod } from './method.ts'

/**
 * Replaces drifted nodes of static pools one for one from the pool's template, as far as budgets and the node limit allow
 * (`docs/spec/disruption.md#drift`). The search reserves the replacements. After the commands have started, the caller must release these
 * reservations.
 */
export const staticDrift: DisruptionMethod = {
  name: 'static-drift',
  reason: 'Drifted',
  class: 'eventual',
  consolidationType: '',
  validation: 'none',
  searches: 'every-pass',
  eligibility: (candidate, state) => [
    ...dynamicPool(candidate),
    ...notDrifted(candidate),
    ...ceilingReached(candidate, state),
  ],
  search: async ({ candidates, budgets }, { state }) => {
    const commands: Command[] = []
    for (const [name, members] of Map.groupBy(candidates, ({ poolName }) => poolName)) {
      const pool = members[0]?.pool
      if (pool === undefined || budgets.left(name) === 0) continue
      const { active, pendingDisruption } = state.claims.counts(name)
      // The pool has more nodes than replicas, so Kerf first deletes the surplus nodes.
      if (active + pendingDisruption > (pool.spec.replicas ?? 0)) continue
      // If a ClusterPolicy has ceilings, a pass replaces only one node, because each replacement reduces what the ceilings leave for the
      // next one.
      const most = state.ceilings.current === undefined ? members.length : Math.min(members.length, 1 - commands.length)
      const wanted = Math.min(budgets.left(name), most)
      if (wanted <= 0) continue
      const granted = state.claims.reserve(name, poolNodeLimit(pool), wanted)
      commands.push(
        ...members
          .toSorted(byName)
          .slice(0, granted)
          .map((candidate) => poolReplacement(pool, candidate)),
      )
    }
    return commands
  },
  explanation: {
    title: 'drift',
    isFor: (candidate) => candidate.isAsleep !== true && isDrifted(candidate) && isStatic(candidate.pool),
    found: () => 'disruptable',
  },
}

/** Returns a blocker if the ceilings of the ClusterPolicy leave too little capacity for the replacement of a drifted node. */
const ceilingReached = (candidate: Candidate, { ceilings }: ClusterState): readonly EligibilityBlocker[] => {
  const { pool, poolName, providerID } = candidate
  if (ceilings.current === undefined || !isStatic(pool) || !isDrifted(candidate)) return []
  return ceilings.admits(templateClaim(pool, poolName), [providerID]) ? [] : [{ code: 'replacement.ceiling' }]
}

/** Returns the node limit of the pool. An invalid limit counts as 0, so that Kerf replaces nothing. */
const poolNodeLimit = (pool: NodePool): number => {
  const nodes = pool.spec.limits?.['nodes']
  if (nodes === undefined) return Number.POSITIVE_INFINITY
  const limit = tryParseQuantity(nodes)
  return limit === undefined ? 0 : toWhole(limit)
}

const byName = (a: Candidate, b: Candidate): number => (a.name < b.name ? -1 : 1)

const poolReplacement = (pool: NodePool, candidate: Candidate): Command => ({
  method: 'static-drift',
  reason: 'Drifted',
  consolidationType: '',
  candidates: [candidate],
  replacements: [{ kind: 'template', pool }],
  placements: [],
  savings: 0,
})
