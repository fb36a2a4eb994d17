/**
 * Returns the text of a value out of JSON or YAML: scalars as they are written, lists and objects as JSON. `String` throws for an
 * object with the keys `toString` and `valueOf`.
 */
export const plainText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
