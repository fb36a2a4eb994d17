/** What `read` returns, or nothing where it throws. */
export const ifReadable = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
