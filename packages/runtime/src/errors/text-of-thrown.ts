/** Returns any thrown value as text. Returns its type if the conversion throws, for example for an object without a prototype. */
export const textOfThrown = (thrown: unknown): string => {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return typeof thrown
  }
}
