import { ownValue } from './own-value.ts'
import type { Milliseconds } from './units.ts'

/** A duration, or `Never`, which turns the feature off. */
export type NillableDuration = Milliseconds | 'Never'

/** Thrown for a string that is not a duration. `text` is that string. */
export class DurationError extends Error {
  override readonly name = 'DurationError'
  readonly text: string

  constructor(text: string, problem: string) {
    super(
      `${JSON.stringify(text)} is not a duration: ${problem}; write numbers with units, for example 90s, 1h30m or 720h`,
    )
    this.text = text
  }
}

/** The nanoseconds in each unit. Both spellings of micro (U+00B5 and U+03BC) are valid. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/y
const LARGEST = 2n ** 63n - 1n

/**
 * Returns the nanoseconds of a duration in Go's format: an optional sign, and then numbers with an optional fraction and a unit
 * (`ns us µs ms s m h`), in any order. `0` needs no unit. Fractions of a nanosecond are dropped.
 * @throws DurationError for any other string, and for durations beyond ±2^63 nanoseconds (292 years).
 */
export const parseDurationNanoseconds = (text: string): bigint => {
  const sign = text.startsWith('-') ? -1n : 1n
  const body = /^[+-]/.test(text) ? text.slice(1) : text
  if (body === '') throw new DurationError(text, 'it has no number')
  if (body === '0') return 0n

  let total = 0n
  PART.lastIndex = 0
  while (PART.lastIndex < body.length) {
    const part = PART.exec(body)
    if (part === null) throw new DurationError(text, 'a number has no unit')
    const [, whole = '', fraction = '', unit = ''] = part
    const size = ownValue(UNITS, unit)
    if (whole === '' && fraction === '') throw new DurationError(text, 'a unit has no number')
    if (size === undefined) throw new DurationError(text, `${JSON.stringify(unit)} is not a unit`)
    total += BigInt(`0${whole}`) * size + (BigInt(`0${fraction}`) * size) / 10n ** BigInt(fraction.length)
    const limit = sign < 0n ? LARGEST + 1n : LARGEST
    if (total > limit) throw new DurationError(text, 'it is longer than 292 years')
  }
  return sign * total
}

/**
 * Returns the milliseconds of a duration in Go's format. This is exact for all values that the custom resources accept (whole
 * seconds, minutes and hours).
 * @throws DurationError
 */
export const parseDuration = (text: string): Milliseconds => {
  const nanoseconds = parseDurationNanoseconds(text)
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6
}

/** Like `parseDuration`, but returns `undefined` for a string that is not a duration. */
export const tryParseDuration = (text: string): Milliseconds | undefined => {
  try {
    return parseDuration(text)
  } catch (error) {
    if (error instanceof DurationError) return undefined
    throw error
  }
}

/**
 * Parses a duration or the word `Never` (`docs/spec/resources.md#value-formats`, DURN).
 * @throws DurationError
 */
export const parseNillableDuration = (text: string): NillableDuration =>
  text === 'Never' ? 'Never' : parseDuration(text)

/** Returns a duration as Go prints it: `1h30m0s`, `1m30s`, `1.5s`, `250ms`, `0s`. It is exact to a microsecond. */
export const formatDuration = (duration: Milliseconds): string => {
  const sign = duration < 0 ? '-' : ''
  const microseconds = BigInt(Math.round(Math.abs(duration) * 1000))
  if (microseconds === 0n) return '0s'
  if (microseconds < 1_000n) return `${sign}${microseconds}µs`
  if (microseconds < 1_000_000n) return `${sign}${decimal(microseconds, 1_000n)}ms`
  const minutes = microseconds / 60_000_000n
  const seconds = `${decimal(microseconds % 60_000_000n, 1_000_000n)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  const hours = minutes / 60n
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`
}

const decimal = (amount: bigint, unit: bigint): string => {
  const rest = amount % unit
  if (rest === 0n) return `${amount / unit}`
  const digits = `${rest}`.padStart(`${unit}`.length - 1, '0').replace(/0+$/, '')
  return `${amount / unit}.${digits}`
}
