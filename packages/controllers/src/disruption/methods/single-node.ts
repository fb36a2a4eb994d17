import type { MoveVerdict } from '@kerf/engine'
import { bySavingsRatio, type Candidate, isEmpty } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { TargetNodes } from '../target/target-nodes.ts'
import { consolidationBlockers, isDrifted } from './eligibility-checks.ts'
import type { DisruptionMethod, DisruptionStatus, MethodTools, SearchScope } from './method.ts'
import { countMove, isHopeless, judge, moveOrBlocker, scoreBlocker } from './scoring.ts'

/**
 * Consolidates one node. Considers the nodes whose pods fit elsewhere or on a cheaper node, and chooses the node with the highest savings
 * per disruption cost. Every pass evaluates every candidate. Upstream chooses the first node that works, and stops after three minutes
 * (`docs/spec/disruption.md#singlenode`).
 */
export const singleNode: DisruptionMethod = {
  name: 'single-node',
  reason: 'Underutilized',
  class: 'graceful',
  consolidationType: 'single',
  validation: 'whole',
  searches: 'after-change',
  eligibility: consolidationBlockers,
  search: async (scope, tools, signal) => {
    const { candidates, pass } = scope
    if (candidates.length > 0 && !(await pass.canSimulate(true, signal))) return undefined
    const best = await bestMove(scope, tools, signal)
    noteThoseAlone(candidates, pass, tools.targets.alone)
    if (best === undefined) return []
    const { command, verdict, candidate } = best
    if (command.replacements.length > 0) tools.events.candidate(command)
    tools.events.approvedForNode(candidate, verdict.pools)
    return [command]
  },
  explanation: {
    title: 'consolidation',
    isFor: (candidate) => candidate.isAsleep !== true && !isDrifted(candidate) && !isEmpty(candidate),
    found: (candidate, pass) => foundAlone(candidate, pass),
    simulate: async (candidate, pass, signal) =>
      (await pass.canSimulate(true, signal))
        ? moveOrBlocker(await pass.consolidateSingleNode(candidate, signal), candidate, pass)
        : { code: 'pools.none' },
  },
}

/** Records in `alone` the candidates that a single-node move could consolidate in this pass. */
export const noteThoseAlone = (
  candidates: readonly Candidate[],
  pass: Pick<DisruptionPass, 'knownSingleNode' | 'now'>,
  alone: TargetNodes,
): void => {
  const found = candidates.filter((candidate) => {
    const known = pass.knownSingleNode(candidate)
    return known !== undefined && !('code' in known.found)
  })
  alone.update(
    found.map(({ name }) => name),
    pass.now,
  )
}

interface Move {
  readonly candidate: Candidate
  readonly command: Command
  readonly verdict: MoveVerdict
}

const bestMove = async (
  { candidates, pass, budgets }: SearchScope,
  { events, metrics }: MethodTools,
  signal: AbortSignal,
): Promise<Move | undefined> => {
  let best: Move | undefined
  for (const candidate of interleaved(candidates)) {
    if (budgets.left(candidate.poolName) === 0 || isHopeless(candidate, pass)) continue
    const found = await pass.consolidateSingleNode(candidate, signal)
    const command = 'code' in found ? found : (pass.undoneBefore([candidate]) ?? found)
    if ('code' in command) {
      events.unconsolidatable(candidate.state, command)
      continue
    }
    const move = { candidate, command, verdict: judge(command, pass) }
    countMove(metrics, command, move.verdict)
    if (!move.verdict.approved) continue
    if (best === undefined || isBetter(move, best, await pass.worthKeeping(signal))) best = move
  }
  return best
}

/**
 * Returns the best candidate of every pool, then the second best of every pool, and so on. A pool with many nodes therefore does not delay
 * the others.
 */
export const interleaved = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const pools = [...Map.groupBy(candidates.toSorted(bySavingsRatio), ({ poolName }) => poolName).values()]
  const order: Candidate[] = []
  for (let place = 0; order.length < candidates.length; place++) {
    for (const members of pools) {
      const member = members[place]
      if (member !== undefined) order.push(member)
    }
  }
  return order
}

/**
 * Returns whether the move is better than `best`. A move of a node that is worth keeping is always worse. Otherwise, the move with the
 * higher savings per disruption cost is better.
 */
const isBetter = (move: Move, best: Move, worthKeeping: ReadonlySet<Candidate>): boolean => {
  const kept = Number(worthKeeping.has(move.candidate)) - Number(worthKeeping.has(best.candidate))
  return kept === 0 ? savingsRate(move) > savingsRate(best) : kept < 0
}

const savingsRate = ({ candidate, command }: Move): number => (command.savings ?? 0) / candidate.disruption

const foundAlone = (candidate: Candidate, pass: DisruptionPass): DisruptionStatus => {
  const known = pass.knownSingleNode(candidate)
  if (known === undefined) {
    return isHopeless(candidate, pass) ? scoreBlocker(candidate, candidate.price ?? 0, pass) : 'unknown'
  }
  const move = moveOrBlocker(known.found, candidate, pass)
  return 'code' in move ? move : 'disruptable'
}
