/** Whatever was thrown, as a text. Not everything can be made one: an object without a prototype throws. */
export const textOfThrown = (thrown: unknown): string => {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return typeof thrown
  }
}
