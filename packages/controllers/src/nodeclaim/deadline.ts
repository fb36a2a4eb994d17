import { annotations, type Milliseconds, type NodeClaim, parseRfc3339 } from '@kerf/apis'

/**
 * Thrown if the claim's termination deadline is invalid. Until a user corrects the deadline, Kerf deletes no pods by force, and the
 * termination does not proceed.
 */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'

  constructor(claim: NodeClaim, text: string) {
    super(
      `annotation ${annotations.terminationTimestamp} of nodeclaim ${claim.metadata.name} is ${JSON.stringify(text)}, not an RFC 3339 time; correct or remove it`,
    )
  }
}

/**
 * Returns when Kerf deletes the pods on the claim's node by force, or undefined if there is no terminationGracePeriod.
 *
 * @throws DeadlineError if the annotation is not a valid time.
 */
export const terminationDeadline = (claim: NodeClaim): Milliseconds | undefined => {
  const text = claim.metadata.annotations?.[annotations.terminationTimestamp]
  if (text === undefined) return undefined
  const at = parseRfc3339(text)
  if (at === undefined) throw new DeadlineError(claim, text)
  return at
}
