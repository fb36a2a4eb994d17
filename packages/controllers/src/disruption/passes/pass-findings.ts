import type { Milliseconds, Pod } from '@kerf/apis'
import type { Blocker } from '@kerf/engine'
import type { Assessment } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'

/** The result of a simulation that consolidates one node alone. */
export interface SingleNodeResult {
  readonly found: Command | Blocker
  /** The one new node that the move needs, whether or not it is cheaper, and the pods that fit nowhere else. */
  readonly launch?: { readonly nodePool: string; readonly pods: readonly Pod[] }
}

/** The results of a pass's simulations. Later passes reuse them while the cluster is unchanged. */
export interface PassFindings {
  readonly singleNode: Map<Candidate, SingleNodeResult>
  /** Whether there is a node whose consolidateAfter has not passed yet. */
  isSettling: boolean
}

/** Returns when the first blocker of one of these nodes expires. */
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
