import { ownValue } from '@kerf/apis'
import { Document } from 'yaml'
import { GoStruct, type GoValue, isGoList, isGoMap, isZero, NO_VALUE, sortedKeys } from '../go-template/go-value.ts'

/** Returns true if YAML output omits the value. Unlike `isZero`, this includes empty lists and maps. */
const isOmitted = (value: GoValue): boolean =>
  isZero(value) || (isGoList(value) && value.length === 0) || (isGoMap(value) && value.size === 0)

/** Converts a value to plain data with its YAML keys, in Go's order. */
const yamlValue = (value: GoValue): unknown => {
  if (isGoList(value)) return value.map(yamlValue)
  if (isGoMap(value)) return Object.fromEntries(sortedKeys(value).map((key) => [key, yamlValue(value.get(key))]))
  if (!(value instanceof GoStruct)) return value === NO_VALUE || value === undefined ? null : value
  const { yamlNames } = value
  return Object.fromEntries(
    [...value.fields].flatMap(([name, field]) => {
      const tagged = ownValue(yamlNames, name)
      if (tagged === undefined) return [[name.toLowerCase(), yamlValue(field)] as const]
      return isOmitted(field) ? [] : [[tagged, yamlValue(field)] as const]
    }),
  )
}

/** Returns a value as YAML without the final newline. Like upstream, quotes words that YAML 1.1 parses as booleans. */
export const encodeYaml = (value: GoValue, indent: number): string =>
  new Document(yamlValue(value), { version: '1.1' })
    .toString({ indent, lineWidth: 0, blockQuote: 'literal' })
    .replace(/\n$/, '')

/** Converts a value to plain data with its JSON keys, in which fields have their Go names. */
const jsonValue = (value: GoValue): unknown => {
  if (isGoList(value)) return value.map(jsonValue)
  if (isGoMap(value)) return Object.fromEntries(sortedKeys(value).map((key) => [key, jsonValue(value.get(key))]))
  if (value instanceof GoStruct)
    return Object.fromEntries([...value.fields].map(([name, field]) => [name, jsonValue(field)]))
  return value === NO_VALUE || value === undefined ? null : value
}

/** Characters that Go escapes in JSON strings. */
const UNSAFE = /[<>&\u2028\u2029]/g

/** Returns a value as JSON. Without `indent`, the JSON has one line. */
export const encodeJson = (value: GoValue, indent = 0): string =>
  JSON.stringify(jsonValue(value), null, indent).replaceAll(
    UNSAFE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
