import { ownValue } from '@kerf/apis'
import { Document } from 'yaml'
import { GoStruct, type GoValue, isGoList, isGoMap, isZero, NO_VALUE, sortedKeys } from '../go-template/go-value.ts'

/** A list or map is left out of YAML if it is empty, which is more than `isZero`. */
const isOmitted = (value: GoValue): boolean =>
  isZero(value) || (isGoList(value) && value.length === 0) || (isGoMap(value) && value.size === 0)

/** Returns a value with the keys that it has in YAML, in Go's order. */
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

/** Returns a value as YAML without the final newline. Words that YAML 1.1 reads as booleans are quoted, as upstream does. */
export const encodeYaml = (value: GoValue, indent: number): string =>
  new Document(yamlValue(value), { version: '1.1' })
    .toString({ indent, lineWidth: 0, blockQuote: 'literal' })
    .replace(/\n$/, '')

/** Returns a value with the keys that it has in JSON: fields have their Go names. */
const jsonValue = (value: GoValue): unknown => {
  if (isGoList(value)) return value.map(jsonValue)
  if (isGoMap(value)) return Object.fromEntries(sortedKeys(value).map((key) => [key, jsonValue(value.get(key))]))
  if (value instanceof GoStruct)
    return Object.fromEntries([...value.fields].map(([name, field]) => [name, jsonValue(field)]))
  return value === NO_VALUE || value === undefined ? null : value
}

/** Go's JSON escapes these characters in texts. */
const UNSAFE = /[<>&\u2028\u2029]/g

/** Returns a value as JSON, in one line without `indent`. */
export const encodeJson = (value: GoValue, indent = 0): string =>
  JSON.stringify(jsonValue(value), null, indent).replaceAll(
    UNSAFE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
