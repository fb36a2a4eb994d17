import { ownValue } from '@kerf/apis'
import { type GoValue, kindName, printed } from './go-value.ts'

/** Control characters with a short escape. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u0007': '\\a', '\b': '\\b', '\f': '\\f', '\v': '\\v' },
}

/** Returns a text in double quotes, like Go's verb `%q`. */
export const quoted = (text: string): string => {
  const escaped = text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[^\P{C}]/gu, (char) => {
    const short = ownValue(SHORT, char)
    const code = char.codePointAt(0) ?? 0
    if (short !== undefined) return short
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
    return code > 0xff_ff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}

interface Verb {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
}

const hexadecimal = (value: GoValue): string =>
  typeof value === 'number' ? value.toString(16) : Buffer.from(printed(value)).toString('hex')

/** Formats a value for a verb. Returns undefined if the verb does not apply to the value. */
const formatted = (verb: string, value: GoValue, { precision }: Verb): string | undefined => {
  switch (verb) {
    case 'v':
      return printed(value)
    case 's':
      return typeof value === 'number' || typeof value === 'boolean' ? undefined : printed(value).slice(0, precision)
    case 'q':
      return typeof value === 'string' ? quoted(value) : undefined
    case 'd':
      return typeof value === 'number' && Number.isInteger(value) ? String(value) : undefined
    case 'f':
      return typeof value === 'number' ? value.toFixed(precision ?? 6) : undefined
    case 't':
      return typeof value === 'boolean' ? String(value) : undefined
    case 'x':
      return hexadecimal(value)
    case 'X':
      return hexadecimal(value).toUpperCase()
    default:
      return undefined
  }
}

const padded = (text: string, { flags, width }: Verb, isNumber: boolean): string => {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0') || !isNumber) return text.padStart(width)
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

/** Formats values like Go's `fmt.Sprintf`. Supports the verbs v, s, q, d, f, t, x and X, flags, a width and a precision. */
export const sprintf = (format: string, values: readonly GoValue[]): string => {
  let next = 0
  const text = format.replaceAll(
    /%([-+0 #]*)(\d*)(?:\.(\d+))?(.)/gsu,
    (_, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%'
      if (next >= values.length) return `%!${verb}(MISSING)`
      const value = values[next++]
      const options = {
        flags,
        width: Number(width),
        precision: precision === undefined ? undefined : Number(precision),
      }
      const made = formatted(verb, value, options)
      if (made === undefined) return `%!${verb}(${kindName(value)}=${printed(value)})`
      const isNumber = typeof value === 'number'
      return padded(isNumber && flags.includes('+') && value >= 0 ? `+${made}` : made, options, isNumber)
    },
  )
  const extra = values.slice(next)
  return extra.length === 0
    ? text
    : `${text}%!(EXTRA ${extra.map((value) => `${kindName(value)}=${printed(value)}`).join(', ')})`
}
