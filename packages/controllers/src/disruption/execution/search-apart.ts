import { ApiError } from '@kerf/runtime'
import type { Isolation } from '../../state/isolation/isolation.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** After this number of searches, the first error is thrown, because no single candidate can be the cause of that many errors. */
const MOST_SEARCHES = 40

/**
 * Searches among the candidates. If the search throws, finds the candidates that cause the error and searches again without them. So one
 * candidate cannot stop a disruption method (`docs/spec/isolation.md`).
 *
 * @throws errors of the API server, and errors that occur with every candidate.
 */
export const searchApart = async <Found>(
  candidates: readonly Candidate[],
  search: (candidates: readonly Candidate[]) => Promise<Found>,
  isolation: Isolation,
  signal: AbortSignal,
): Promise<Found> => {
  let searches = 0
  const culprits = new Map<Candidate, unknown>()
  const look = async (part: readonly Candidate[]): Promise<void> => {
    if (part.length === 0) return
    searches++
    try {
      await search(part)
    } catch (error) {
      signal.throwIfAborted()
      const [only] = part
      if (error instanceof ApiError || searches > MOST_SEARCHES) throw error
      if (only !== undefined && part.length === 1) {
        culprits.set(only, error)
        return
      }
      const middle = part.length >> 1
      await look(part.slice(0, middle))
      await look(part.slice(middle))
    }
  }
  try {
    return await search(candidates)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ApiError || candidates.length === 1) throw error
    await look(candidates)
    if (culprits.size === 0 || culprits.size === candidates.length) throw error
  }
  for (const [{ claim }, error] of culprits)
    isolation.report({ kind: 'NodeClaim', stage: 'consolidation', object: claim, error })
  return await search(candidates.filter((candidate) => !culprits.has(candidate)))
}
