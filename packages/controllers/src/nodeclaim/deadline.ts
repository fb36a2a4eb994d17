import { annotations, type Milliseconds, type NodeClaim, parseTime } from '@kerf/apis'

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/**
 * Thrown if the claim's termination deadline is invalid. Nothing is deleted by force, and the termination stops until a user
 * corrects it.
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
 * Returns when the pods on the claim's node are deleted by force, or undefined without a terminationGracePeriod.
 *
 * @throws DeadlineError if the annotation is not a valid time.
 */
export const terminationDeadline = (claim: NodeClaim): Milliseconds | undefined => {
  const text = claim.metadata.annotations?.[annotations.terminationTimestamp]
  if (text === undefined) return undefined
  const at = RFC3339.test(text) ? parseTime(text) : undefined
  if (at === undefined) throw new DeadlineError(claim, text)
  return at
}
