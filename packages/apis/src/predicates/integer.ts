const INTEGER = /^[+-]?[0-9]+$/
export const LARGEST_INTEGER = 2n ** 63n - 1n
const SMALLEST_INTEGER = -(2n ** 63n)

/**
 * Returns the 64-bit integer that a label value represents; `undefined` if it represents none
 * (`docs/spec/requirements.md#representation`). Decimal digits with a sign and leading zeros are valid; `1.0`, `1e3` and the empty string
 * are not.
 */
export const parseInteger = (text: string): bigint | undefined => {
  if (!INTEGER.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return value > LARGEST_INTEGER || value < SMALLEST_INTEGER ? undefined : value
}
