/** Functions that read documents of unknown structure. A value of an unexpected type counts as absent. */

import { ownValue } from '@kerf/apis'

export type Loose = Readonly<Record<string, unknown>>

export const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const looseAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((at: unknown, key) => (isLoose(at) ? ownValue(at, key) : undefined), value)

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asObjects = (value: unknown): readonly Loose[] => asList(value).filter(isLoose)

export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const asTexts = (value: unknown): readonly string[] => asList(value).flatMap((each) => asText(each) ?? [])

/** Converts a number or a numeric string to a number. Returns undefined for any other value. */
export const asNumber = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** Returns a number above 0, otherwise undefined. In exports and in Terraform's state, 0 means that a size is unknown. */
export const asPositive = (value: unknown): number | undefined => {
  const found = asNumber(value)
  return found === undefined || found <= 0 ? undefined : found
}

/** Returns a map of strings. Numbers and booleans are converted to strings, because users often write them in YAML without quotes. */
export const asTextMap = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isLoose(value) ? value : {}).flatMap(([key, each]) =>
      ['string', 'number', 'boolean'].includes(typeof each) ? [[key, String(each)]] : [],
    ),
  )

/** Returns whether a field has no value. Exports also contain fields that were never set. */
export const isUnset = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isLoose(value) && Object.keys(value).length === 0)
