const INTEGER = /^[+-]?[0-9]+$/
export const LARGEST_INTEGER = 2n ** 63n - 1n
const SMALLEST_INTEGER = -(2n ** 63n)

/**
 * The 64-bit integer a label value stands for, `undefined` if it is none (`docs/spec/requirements.md#representation`:
 * decimal digits, a sign, leading zeros; neither `1.0` nor `1e3` nor the empty text).
 */
export const integerOf = (text: string): bigint | undefined => {
  if (!INTEGER.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return value > LARGEST_INTEGER || value < SMALLEST_INTEGER ? undefined : value
}
