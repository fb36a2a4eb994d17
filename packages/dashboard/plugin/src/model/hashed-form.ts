import { formatQuantity, ownValue, tryParseDuration, tryParseQuantity } from '@kerf/apis'
import type { ClassDriftRule } from '@kerf/provider-contract/dashboard'
import { type Fields, isFields } from './read.ts'

const isBinary = (text: string): boolean => text.endsWith('i')

const quantityText = (text: string): string => {
  const quantity = tryParseQuantity(text)
  return quantity === undefined ? text : formatQuantity(quantity, isBinary(text) ? 'BinarySI' : 'DecimalSI')
}

const isZero = (value: unknown): boolean => value === false || value === 0 || value === ''

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/**
 * Removes items that occur an even number of times. They do not change the hash of a set, which is the exclusive or
 * (XOR) of the hashes of its items.
 */
const oddItems = (items: readonly string[]): readonly string[] => {
  const odd = new Set<string>()
  for (const item of items) if (!odd.delete(item)) odd.add(item)
  return [...odd]
}

/** Returns JSON with sorted keys, so that equal maps have equal texts. */
export const sortedJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== null)
  const texts = entries.map(([key, each]) => `${JSON.stringify(key)}:${sortedJson(each)}`)
  return `{${texts.sort().join(',')}}`
}

const isAt = (paths: readonly string[] | undefined, path: string): boolean => paths?.includes(path) === true

/** Returns whether the path is one of `paths` or is below one of them. */
const isIn = (paths: readonly string[] | undefined, path: string): boolean =>
  paths?.some((each) => path === each || path.startsWith(`${each}.`)) === true

const hashedText = (text: string, path: string, rule: ClassDriftRule): string | number => {
  if (isAt(rule.quantityUnits, path)) return isBinary(text) ? 'BinarySI' : 'DecimalSI'
  if (isAt(rule.quantities, path)) return quantityText(text)
  return isIn(rule.durations, path) ? tryParseDuration(text) ?? text : text
}

const formOf = (value: unknown, path: string, rule: ClassDriftRule): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (isAt(rule.selectors, path) || isAt(rule.unhashed, path)) return undefined
  if (isAt(rule.emptyIsNone, path) && isEmpty(value)) return undefined
  if (isAt(rule.ordered, path)) return sortedJson(value)
  if (Array.isArray(value)) {
    const items = value.map((each) => formOf(each, path, rule) ?? 'null')
    return `[${[...oddItems(items)].sort().join(',')}]`
  }
  if (isFields(value)) {
    const texts = Object.entries(value).flatMap(([key, each]) => {
      const form = formOf(each, path === '' ? key : `${path}.${key}`, rule)
      return form === undefined ? [] : [`${JSON.stringify(key)}:${form}`]
    })
    return `{${texts.sort().join(',')}}`
  }
  const isQuantity = isAt(rule.quantityUnits, path) || isAt(rule.quantities, path)
  // A quantity may be a number. Its hash is the hash of the same digits as text.
  const text = typeof value === 'number' && isQuantity ? String(value) : value
  const read = typeof text === 'string' ? hashedText(text, path, rule) : text
  return isAt(rule.zeroIsNone, path) && isZero(read) ? undefined : JSON.stringify(read)
}

/**
 * Returns, as text, the part of a spec field that the provider's hash covers. Two values have the same text if and only if the provider
 * computes the same hash for them. Returns `undefined` if the hash does not cover the field. Never throws.
 */
export const hashedForm = (value: unknown, field: string, rule: ClassDriftRule): string | undefined =>
  formOf(value, field, rule)

const valuesAt = (value: unknown, path: readonly string[]): readonly unknown[] => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path))
  const [key, ...rest] = path
  if (key === undefined) return [value]
  return isFields(value) ? valuesAt(ownValue(value, key), rest) : []
}

/** Treats lists as sets by sorting them, because the order of terms does not change what they select. */
const asSets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => sortedJson(asSets(each))).sort()
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asSets(each)]))
}

/** Returns the selector at a path in the spec, as text. */
export const selectedForm = (spec: Fields, path: string): string => sortedJson(asSets(valuesAt(spec, path.split('.'))))
