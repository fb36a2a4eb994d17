import { DurationError, parseDurationNanoseconds } from '../duration.ts'
import { ownValue } from '../own-value.ts'

/** This file contains the formats of strings that an API server checks. All other formats have no effect. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2}):(\d{2})(\.\d+)?(z|[+-]\d{2}:\d{2})$/
/**
 * Matches a host name: either one label, or several labels. The last of several labels must consist of at least two letters.
 */
const HOST =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u

const isHostname = (text: string): boolean =>
  HOST.test(text) && text.length <= 255 && text.split('.').every((label) => label.length <= 63)

const isDate = (text: string): boolean => {
  const parts = DATE.exec(text)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const isDateTime = (text: string): boolean => {
  const [date = '', ...rest] = text.toLowerCase().split('t')
  const time = TIME.exec(rest.join('t'))
  if (!isDate(date) || time === null) return false
  return Number(time[1]) <= 23 && Number(time[2]) <= 59 && Number(time[3]) <= 59
}

export const isIPv4 = (text: string): boolean => {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

export const isIPv6 = (text: string): boolean => {
  const halves = text.split('::')
  if (halves.length > 2 || !text.includes(':')) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const isMixed = last.includes('.')
  if (isMixed && !isIPv4(last)) return false
  const plain = isMixed ? groups.slice(0, -1) : groups
  const count = plain.length + (isMixed ? 2 : 0)
  return plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) && (halves.length === 2 ? count < 8 : count === 8)
}

export const isCidr = (text: string): boolean => {
  const [address = '', length = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^(0|[1-9]\d*)$/.test(length)) return false
  if (isIPv4(address)) return Number(length) <= 32
  return isIPv6(address) && Number(length) <= 128
}

const isAbsoluteUrl = (text: string): boolean => text.startsWith('/') || URL.canParse(text)

/** The names of each unit, and its length in nanoseconds. The last name of each unit may have a suffix (`minutes`). */
const UNITS: readonly (readonly [names: readonly string[], size: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
]

/**
 * Returns the nanoseconds of a text in the format `duration`, which is either Go's format or `3 days`. Returns `undefined` for
 * other strings.
 */
export const looseDuration = (text: string): bigint | undefined => {
  try {
    return parseDurationNanoseconds(text)
  } catch (error) {
    if (!(error instanceof DurationError)) throw error
  }
  let total: bigint | undefined
  for (const [, amount = '', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = word.toLowerCase()
    const known = UNITS.find(([names]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit))
    if (known !== undefined) total = (total ?? 0n) + BigInt(amount) * known[1]
  }
  return total
}

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  datetime: isDateTime,
  duration: (text) => looseDuration(text) !== undefined,
  byte: (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  uri: isAbsoluteUrl,
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hostname: isHostname,
  // The format allows leading zeros, which CEL's isIP() does not.
  ipv4: (text) => isIPv4(text.replaceAll(/(^|\.)0+(?=\d)/g, '$1')),
  ipv6: isIPv6,
  cidr: isCidr,
  mac: (text) => /^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
}

const FREE: ReadonlySet<string> = new Set([
  'password',
  'bsonobjectid',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'rgbcolor',
])

/** Returns whether the server checks the format. It ignores all other formats. */
export const isKnownFormat = (format: string): boolean => {
  const name = format.replaceAll('-', '')
  return Object.hasOwn(CHECKS, name) || FREE.has(name)
}

/** Returns whether a string has the format. Dashes in the name of the format are ignored. */
export const hasFormat = (text: string, format: string): boolean =>
  ownValue(CHECKS, format.replaceAll('-', ''))?.(text) ?? true
