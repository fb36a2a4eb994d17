import { ownValue } from '@kerf/apis'

/** The value of a YAML scalar. Dates remain strings, as in sigs.k8s.io/yaml. */
export type YamlScalar = string | number | boolean | null

const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
])

const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
/** Maximum number of digits of an integer that a JavaScript number can always represent exactly. */
const EXACT_DIGITS = 15
const LEAST = -(2n ** 63n)
const BEYOND = 2n ** 64n

/**
 * Parses an integer in Go's notation: prefixes 0x, 0b, 0o, and a leading 0 for octal. Returns `undefined` for any other text, and
 * for integers that need more than 64 bits.
 */
const parseInteger = (text: string): number | undefined => {
  if (!INTEGER.test(text)) return undefined
  const isSigned = text.startsWith('-') || text.startsWith('+')
  const digits = isSigned ? text.slice(1) : text
  const isOctal = /^0[0-7]/.test(digits)
  if (!isOctal && digits.length <= EXACT_DIGITS) return Number(digits) * (text.startsWith('-') ? -1 : 1) + 0
  const amount = BigInt(isOctal ? `0o${digits}` : digits)
  const value = text.startsWith('-') ? -amount : amount
  const isTooLarge = value < LEAST || (isSigned ? value >= BEYOND / 2n : value >= BEYOND)
  return isTooLarge ? undefined : Number(value)
}

const parseFloat64 = (text: string): number | undefined => {
  const value = FLOAT.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/**
 * Returns the value of a plain scalar, resolved like go-yaml v2, which sigs.k8s.io/yaml and kubectl use. It recognises the words of YAML
 * 1.1 (yes, off), octal numbers with and without an o, and digits grouped by underscores. Base 60 numbers and dates remain strings.
 */
export const resolveScalar = (text: string): YamlScalar => {
  const first = text.charCodeAt(0)
  // The first letter of most scalars shows that they have no special meaning.
  if (first > 0x39 && !'yYnNtTfFoO~'.includes(text.charAt(0))) return text
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (first !== 0x2e && first !== 0x2b && first !== 0x2d && !(first >= 0x30 && first <= 0x39)) return text
  const plain = text.replaceAll('_', '')
  return parseInteger(plain) ?? parseFloat64(plain) ?? text
}

const TYPES: Readonly<Record<string, (value: YamlScalar) => boolean>> = {
  '!!bool': (value) => typeof value === 'boolean',
  '!!int': (value) => typeof value === 'number' && Number.isInteger(value),
  '!!float': (value) => typeof value === 'number',
  '!!null': (value) => value === null,
  '!!timestamp': (value) => typeof value === 'string',
}

/**
 * Returns the value of a scalar with an explicit tag (`!!int`, or its long form). If the tag is not one of YAML's own tags, the
 * text remains a string. Returns `undefined` if the text is not a valid value of the tag's type.
 */
export const resolveTagged = (tag: string, text: string): YamlScalar | undefined => {
  const short = tag.replace(/^!<(.*)>$/, '$1').replace(/^tag:yaml\.org,2002:/, '!!')
  if (short === '!!binary') return Buffer.from(text, 'base64').toString('utf8')
  const isOfType = ownValue(TYPES, short)
  if (isOfType === undefined) return text
  const value = resolveScalar(text)
  return isOfType(value) ? value : undefined
}
