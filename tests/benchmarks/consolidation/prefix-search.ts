import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { PoolBudgets } from '../../../packages/controllers/src/disruption/budgets/pool-budgets.ts'
import { bySavingsRatio, type Candidate } from '../../../packages/controllers/src/disruption/candidates/candidate.ts'
import type { Command } from '../../../packages/controllers/src/disruption/commands/command.ts'
import { interleaved } from '../../../packages/controllers/src/disruption/methods/single-node.ts'
import type { DisruptionPass } from '../../../packages/controllers/src/disruption/passes/disruption-pass.ts'
import { planConsolidation } from '../../../packages/controllers/src/disruption/simulation/consolidation.ts'

/** Upstream's search includes candidates up to this index, counted from 0. The largest prefix therefore has one candidate more. */
const WINDOW = 100
const MULTI_DEADLINE: Milliseconds = 60_000
const SINGLE_DEADLINE: Milliseconds = 180_000

/**
 * Runs upstream's multi-node consolidation (`docs/spec/disruption.md#consolidation`): takes the ordered candidates within the budgets, and
 * searches by bisection for the longest prefix of at most a hundred candidates that can be disrupted together, for at most a minute. Uses
 * Kerf's simulation, so that only the search differs.
 */
export const prefixSearch = async (
  candidates: readonly Candidate[],
  pass: DisruptionPass,
  budgets: PoolBudgets,
  clock: Pick<Clock, 'monotonic'>,
  signal: AbortSignal,
): Promise<Command | undefined> => {
  const taken = candidates.toSorted(bySavingsRatio).filter(({ poolName }) => budgets.take(poolName))
  if (taken.length < 2) return undefined
  const until = clock.monotonic() + MULTI_DEADLINE
  let saved: Command | undefined
  let low = 1
  let high = Math.min(taken.length - 1, WINDOW)
  while (low <= high && clock.monotonic() < until) {
    const middle = Math.floor((low + high) / 2)
    const prefix = taken.slice(0, middle + 1)
    const found = planConsolidation(prefix, await pass.simulate(prefix, true, signal), pass, 'multi')
    if ('code' in found) high = middle - 1
    else {
      saved = found
      low = middle + 1
    }
  }
  return saved
}

/**
 * Runs upstream's single-node consolidation: returns the first candidate, in order, that can be disrupted. Searches for at most three
 * minutes.
 */
export const firstSingle = async (
  candidates: readonly Candidate[],
  pass: DisruptionPass,
  budgets: PoolBudgets,
  clock: Pick<Clock, 'monotonic'>,
  signal: AbortSignal,
): Promise<Command | undefined> => {
  const until = clock.monotonic() + SINGLE_DEADLINE
  for (const candidate of interleaved(candidates)) {
    if (clock.monotonic() >= until) return undefined
    if (budgets.left(candidate.poolName) === 0) continue
    const found = await pass.consolidateSingleNode(candidate, signal)
    if (!('code' in found)) return found
  }
  return undefined
}
