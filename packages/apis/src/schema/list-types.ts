import { ownValue } from '../own-value.ts'
import type { FieldError } from './field-error.ts'
import { isJsonList, isJsonObject, type JsonObject, type StructuralSchema } from './structural-schema.ts'

/**
 * Returns an error for each invalid item of a list. In a list of type set, values must be unique. In a list of type map, items must be
 * objects and their keys must be unique. `compiled-schema.ts` calls this function in every validation.
 */
export const validateListTypes = (value: unknown, schema: StructuralSchema, path: string): FieldError[] => {
  if (isJsonList(value)) {
    const errors = duplicates(value, schema, path)
    const { items } = schema
    if (items === undefined) return errors
    return [...errors, ...value.flatMap((item, index) => validateListTypes(item, items, `${path}[${index}]`))]
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, field]) => {
    const known = ownValue(schema.properties, key)
    if (known !== undefined) return validateListTypes(field, known, path === '' ? key : `${path}.${key}`)
    const { additionalProperties } = schema
    return typeof additionalProperties === 'object'
      ? validateListTypes(field, additionalProperties, `${path}[${key}]`)
      : []
  })
}

const duplicates = (list: readonly unknown[], schema: StructuralSchema, path: string): FieldError[] => {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeated(list, path)
    case 'map': {
      const odd = list.findIndex((item) => item !== null && !isJsonObject(item))
      if (odd >= 0) {
        const message = 'must be an object for an array of list-type map'
        return [{ field: `${path}[${odd}]`, reason: 'FieldValueInvalid', message, badValue: list[odd] }]
      }
      const keys = schema['x-kubernetes-list-map-keys'] ?? []
      return repeated(
        list.map((item) =>
          Object.fromEntries(
            keys.flatMap((key) => (isJsonObject(item) && Object.hasOwn(item, key) ? [[key, ownValue(item, key)]] : [])),
          ),
        ),
        path,
      )
    }
    default:
      return []
  }
}

/**
 * Returns one error for each repeated value, at the position of the second occurrence. The reason (`Duplicate value`) needs no
 * message.
 */
const repeated = (values: readonly unknown[], path: string): FieldError[] => {
  const times = new Map<string, number>()
  return values.flatMap((value, index): FieldError[] => {
    const text = JSON.stringify(value, (_, part) => (isJsonObject(part) ? sorted(part) : part))
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    return before === 1
      ? [{ field: `${path}[${index}]`, reason: 'FieldValueDuplicate', message: '', badValue: value }]
      : []
  })
}

const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
