import { type Blocker, replacementSavings } from '@kerf/engine'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import { driftedSince } from '../budgets/pool-budgets.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { typeNamed } from '../candidates/offered-types.ts'
import type { Command, Replacement } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { Simulation } from '../simulation/simulator.ts'
import { isDrifted, notDrifted, staticPool } from './eligibility-checks.ts'
import type { DisruptionMethod, MethodTools, SearchScope } from './method.ts'

/**
 * Replaces nodes of dynamic pools that differ from what their pool requires (`docs/spec/disruption.md#drift`). Each command disrupts one
 * node and launches as many new nodes as its pods need, at any cost.
 */
export const drift: DisruptionMethod = {
  name: 'drift',
  reason: 'Drifted',
  class: 'eventual',
  consolidationType: '',
  validation: 'none',
  searches: 'every-pass',
  eligibility: (candidate) => [...staticPool(candidate), ...notDrifted(candidate)],
  search: (scope, tools, signal) => firstThatFits(scope, tools, signal),
  explanation: {
    title: 'drift',
    isFor: (candidate) => candidate.isAsleep !== true && isDrifted(candidate) && !isStatic(candidate.pool),
    found: (candidate, pass) => pass.obstacles.get(candidate) ?? 'disruptable',
    simulate: async (candidate, pass, signal) =>
      (await pass.canSimulate(false, signal))
        ? driftBlocker(await pass.simulate([candidate], false, signal))
        : { code: 'pools.none' },
  },
}

const firstThatFits = async (
  { candidates, pass, budgets }: SearchScope,
  { events }: MethodTools,
  signal: AbortSignal,
): Promise<readonly Command[]> => {
  if (candidates.length > 0 && !(await pass.canSimulate(false, signal))) return []
  for (const candidate of candidates.toSorted(byUrgency)) {
    if (budgets.left(candidate.poolName) === 0) continue
    const simulation = await pass.simulate([candidate], false, signal)
    const blocker = driftBlocker(simulation)
    if (blocker !== undefined) {
      pass.obstacles.set(candidate, blocker)
      events.blocked(candidate.state, blocker)
      continue
    }
    const replacements = plannedReplacements(candidate, simulation, pass)
    if (replacements === undefined) continue
    const command = { method: 'drift', reason: 'Drifted', consolidationType: '', candidates: [candidate] } as const
    const typeOf = (pool: string, name: string) => typeNamed(pass.types, pool, name)
    const savings = replacementSavings([candidate], simulation.claims, typeOf, pass.nodeOverheadCost)
    return [{ ...command, replacements, placements: simulation.placements, savings }]
  }
  return []
}

/** Sorts nodes without reschedulable pods first, then the other nodes by the time at which they drifted, earliest first. */
export const byUrgency = (a: Candidate, b: Candidate): number => {
  const isBusy = ({ reschedulable }: Candidate): number => (reschedulable.length > 0 ? 1 : 0)
  const since = (candidate: Candidate): string => driftedSince(candidate.claim)
  if (isBusy(a) !== isBusy(b)) return isBusy(a) - isBusy(b)
  if (since(a) !== since(b)) return since(a) < since(b) ? -1 : 1
  return a.name < b.name ? -1 : 1
}

/** Returns a blocker if running pods would become unschedulable without the drifted node, otherwise undefined. */
const driftBlocker = (simulation: Simulation): Blocker | undefined =>
  simulation.unplaced.length === 0 ? undefined : { code: 'pods.unschedulable', pods: simulation.unplaced }

/**
 * Returns the replacements that the candidate's pods need. Omits new nodes for pods that are already pending, because the provisioner may
 * already be launching those nodes.
 */
const plannedReplacements = (
  { reschedulable }: Candidate,
  simulation: Simulation,
  pass: Pick<DisruptionPass, 'types'>,
): readonly Replacement[] | undefined => {
  const moving = new Set(reschedulable.map(({ metadata }) => metadata.uid))
  const replacements: Replacement[] = []
  for (const claim of simulation.claims) {
    if (!claim.pods.some(({ metadata }) => moving.has(metadata.uid))) continue
    const pool = pass.types.get(claim.nodePool)?.pool
    if (pool === undefined) return undefined
    replacements.push({ kind: 'planned', claim, pool })
  }
  return replacements
}
