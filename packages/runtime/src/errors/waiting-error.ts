/**
 * Thrown when an action must wait and the user need not do anything. The controller retries after its back-off, does not count an
 * error, and logs nothing at level error.
 */
export class WaitingError extends Error {
  override readonly name: string = 'WaitingError'
}

/**
 * Returns whether the error only means that something must wait. This is true for a `WaitingError`, for an error caused by one, and
 * for several errors if it is true for all of them.
 */
export const isWaiting = (error: unknown): boolean => {
  if (error instanceof WaitingError) return true
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isWaiting)
  return error instanceof Error && isWaiting(error.cause)
}
