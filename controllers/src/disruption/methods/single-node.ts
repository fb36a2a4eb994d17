import type { MoveVerdict } from '@kerf/engine'
import { bySavingsRatio, type Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { Validator } from '../execution/validation.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { type Method, Stamp } from './method.ts'
import { countMove, isHopeless, judge } from './scoring.ts'

export interface ConsolidationTools {
  readonly validator: Pick<Validator, 'validate'>
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
}

/** Every pool's best candidate, then every pool's second, and so on: no pool waits for another one's many nodes. */
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

interface Move {
  readonly candidate: Candidate
  readonly command: Command
  readonly verdict: MoveVerdict
}

/** Nodes that had better stay go when no other can; else the one that saves most for what it disturbs. */
const isBetter = (move: Move, best: Move, { keepers }: Pick<DisruptionPass, 'keepers'>): boolean => {
  const kept = Number(keepers.has(move.candidate)) - Number(keepers.has(best.candidate))
  return kept === 0 ? rateOf(move) > rateOf(best) : kept < 0
}

const rateOf = ({ candidate, command }: Move): number => command.savings / candidate.disruption

/**
 * Consolidates one node: of all whose pods fit elsewhere or on something cheaper the one that saves most for what it
 * disturbs. Looks at every candidate in every round; upstream takes the first that works, and stops looking after three
 * minutes (3.7).
 */
export const singleNode = ({ validator, events, metrics }: ConsolidationTools): Method => {
  const stamp = new Stamp()
  return {
    name: 'single-node',
    reason: 'Underutilized',
    class: 'graceful',
    type: 'single',
    isValidated: true,
    compute: async (candidates, round, budgets, signal) => {
      const { slots } = budgets
      if (stamp.isCurrent(round, candidates, slots)) return []
      if (candidates.length > 0 && !round.canSimulate) return []
      let best: Move | undefined
      for (const candidate of interleaved(candidates)) {
        if (budgets.left(candidate.poolName) === 0) continue
        if (isHopeless(candidate, round)) continue
        const found = await round.consolidateAlone(candidate, signal)
        const command = 'code' in found ? found : (round.undoneBefore([candidate]) ?? found)
        if ('code' in command) {
          events.unconsolidatable(candidate.state, command)
          continue
        }
        const move = { candidate, command, verdict: judge(command, round) }
        countMove(metrics, command, move.verdict)
        if (move.verdict.approved && (best === undefined || isBetter(move, best, round))) best = move
      }
      if (best !== undefined) {
        const { command, verdict } = best
        if (command.replacements.length > 0) events.candidate(command)
        events.approved(command, verdict.pools)
        const valid = await validator.validate(command, signal)
        return valid === undefined ? [] : [valid]
      }
      stamp.set(round, candidates, slots)
      return []
    },
  }
}
