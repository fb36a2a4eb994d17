import type { Milliseconds } from '@kerf/apis'
import { poolConsolidationPolicy } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { Targets } from './target-nodes.ts'

/** How long a consolidation command must remain valid before it starts. */
export const VALIDATION_WAIT: Milliseconds = 15_000

/**
 * Returns how long the command must still wait for its validation. For a command that only deletes nodes, the time since which searches
 * have found these nodes counts towards the wait. A command that launches a node or affects a Balanced pool waits the full time.
 */
export const waitLeft = (
  { candidates, replacements, consolidationType }: Command,
  targets: Targets,
  now: Milliseconds,
): Milliseconds => {
  const isTold = consolidationType === 'multi' || consolidationType === 'single'
  const isBalanced = candidates.some(({ pool }) => poolConsolidationPolicy(pool) === 'Balanced')
  if (!isTold || isBalanced || replacements.length > 0) return VALIDATION_WAIT
  const nodes = consolidationType === 'multi' ? targets.together : targets.alone
  return Math.max(0, ...candidates.map(({ name }) => VALIDATION_WAIT - nodes.timeOf(name, now)))
}
