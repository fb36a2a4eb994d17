import type { Milliseconds, Pod } from '@kerf/apis'
import type { Blocker } from '@kerf/engine'
import type { Assessment } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'

/** The result of simulating the consolidation of one node alone. */
export interface SingleNodeResult {
  readonly found: Command | Blocker
  /** The single new node that the move would need, and the pods that fit nowhere else. Also set if the new node is not cheaper. */
  readonly launch?: { readonly nodePool: string; readonly pods: readonly Pod[] }
}

/** The results of a pass's simulations. Later passes reuse them until the cluster changes. */
export interface PassFindings {
  readonly singleNode: Map<Candidate, SingleNodeResult>
  /** Whether the consolidateAfter of any node has not passed yet. */
  isSettling: boolean
}

/** Returns the time at which the first blocker of these nodes expires. */
export const firstExpiry = ({
  assessments,
}: {
  readonly assessments: readonly Pick<Assessment, 'blockers'>[]
}): Milliseconds => {
  let first = Number.POSITIVE_INFINITY
  for (const { blockers } of assessments) {
    for (const blocker of blockers) {
      if ('until' in blocker && blocker.until !== undefined) first = Math.min(first, blocker.until)
    }
  }
  return first
}
