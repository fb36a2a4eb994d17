/**
 * Returns a JSON or YAML value as text: scalars unchanged, and lists and objects as JSON. `String` would throw for an object with
 * the keys `toString` and `valueOf`.
 */
export const plainText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
