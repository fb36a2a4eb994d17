/**
 * What is to be done cannot be done yet, and nobody has to act: the answer comes with time. A controller that ends with it is
 * tried again after its back-off, and neither an error nor a line at that level is counted.
 */
export class WaitingError extends Error {
  override readonly name: string = 'WaitingError'
}

/** Whether the error says nothing but that something has to be waited for: itself, its cause, or every one of several. */
export const isWaiting = (error: unknown): boolean => {
  if (error instanceof WaitingError) return true
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isWaiting)
  return error instanceof Error && isWaiting(error.cause)
}
