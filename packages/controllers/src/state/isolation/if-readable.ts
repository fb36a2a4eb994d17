/** Returns the result of `read`, or undefined if it throws. */
export const ifReadable = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
