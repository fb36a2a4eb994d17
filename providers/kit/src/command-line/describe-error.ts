/** Returns the error as one readable line. If `debug` is true, adds the stack. */
export const describeError = (error: unknown, debug: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (debug) return error.stack ?? error.message
  const lines = error.message.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
