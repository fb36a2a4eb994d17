/**
 * Thrown when an action must wait and nobody has to act. The controller retries after its back-off, does not count an error,
 * and logs no line at level error.
 */
export class WaitingError extends Error {
  override readonly name: string = 'WaitingError'
}

/** Returns whether the error only means that something must wait: the error itself, its cause, or every one of several errors. */
export const isWaiting = (error: unknown): boolean => {
  if (error instanceof WaitingError) return true
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isWaiting)
  return error instanceof Error && isWaiting(error.cause)
}
