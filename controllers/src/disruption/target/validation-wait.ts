import type { Milliseconds } from '@kerf/apis'
import { policyOf } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { Targets } from './target-nodes.ts'

/** How long a consolidation must stay right before it is begun. */
export const VALIDATION_WAIT: Milliseconds = 15_000

/**
 * How long the command has yet to stay right. The time for which its nodes have been right to take counts where they are
 * only deleted; a command that launches something, or that moves pods of a Balanced pool, waits by itself.
 */
export const waitLeft = (
  { candidates, replacements, consolidationType }: Command,
  targets: Targets,
  now: Milliseconds,
): Milliseconds => {
  const isTold = consolidationType === 'multi' || consolidationType === 'single'
  const isBalanced = candidates.some(({ pool }) => policyOf(pool) === 'Balanced')
  if (!isTold || isBalanced || replacements.length > 0) return VALIDATION_WAIT
  const nodes = consolidationType === 'multi' ? targets.together : targets.alone
  return Math.max(0, ...candidates.map(({ name }) => VALIDATION_WAIT - nodes.timeOf(name, now)))
}
