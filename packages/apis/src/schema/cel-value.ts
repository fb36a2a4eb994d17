import { ownValue } from '../own-value.ts'
import { CelDuration } from './cel-library.ts'
import { looseDuration } from './formats.ts'
import { isJsonList, isJsonObject, type JsonObject, type StructuralSchema } from './structural-schema.ts'

/** The reserved words of CEL. In rules, fields with these names are written as `__for__`. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/**
 * Returns the name of a field in rules (`spec.foo-bar` becomes `self.spec.foo__dash__bar`), or `undefined` if rules cannot access
 * the field.
 */
export const escapeField = (name: string): string | undefined => {
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined
  if (RESERVED.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

/**
 * Converts a JSON value for rules. Numbers become integers if the schema requires integers. Fields that are not in the schema are hidden.
 * In the metadata of the root, rules can read only the name.
 */
export const celValue = (value: unknown, schema: StructuralSchema | undefined, isResource = false): unknown => {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return numberValue(value, schema)
  if (typeof value === 'string') return textValue(value, schema)
  if (isJsonList(value)) return value.map((item) => celValue(item, schema?.items))
  if (isJsonObject(value)) return objectValue(value, schema, isResource)
  return value
}

const numberValue = (value: number, schema: StructuralSchema | undefined): unknown =>
  Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value

const textValue = (value: string, schema: StructuralSchema | undefined): unknown => {
  if (schema?.type !== 'string') return value
  switch (schema.format) {
    case 'date':
    case 'date-time':
      return new Date(value)
    case 'duration':
      return CelDuration.fromNanoseconds(looseDuration(value) ?? 0n)
    case 'byte':
      return Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
    default:
      return value
  }
}

const objectValue = (value: JsonObject, schema: StructuralSchema | undefined, isResource: boolean): unknown => {
  const isEmbedded = isResource || schema?.['x-kubernetes-embedded-resource'] === true
  const seesAll = schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true
  const entries = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    if (isEmbedded && key === 'metadata') return isJsonObject(field) ? [[key, metadataValue(field)]] : []
    if (isEmbedded && (key === 'apiVersion' || key === 'kind')) return [[key, field]]
    const known = schema?.properties !== undefined && Object.hasOwn(schema.properties, key)
    if (known) {
      const name = escapeField(key)
      return name === undefined ? [] : [[name, celValue(field, ownValue(schema?.properties, key))]]
    }
    if (typeof schema?.additionalProperties === 'object') return [[key, celValue(field, schema.additionalProperties)]]
    return seesAll ? [[key, celValue(field, undefined)]] : []
  })
  // The evaluator determines the class of an object from `constructor`, which may be one of the object's keys. A Map does not have
  // this problem.
  return new Map(entries)
}

const metadataValue = (metadata: JsonObject): unknown =>
  new Map(Object.entries(metadata).filter(([key]) => key === 'name' || key === 'generateName'))
