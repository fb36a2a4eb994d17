import { ownValue } from '../own-value.ts'
import type { FieldError } from './field-error.ts'
import { validateObjectMeta } from './object-meta.ts'
import { isJsonList, isJsonObject, type JsonObject, type StructuralSchema, schemaOfField } from './structural-schema.ts'

/** Checks that fields that contain whole objects (`x-kubernetes-embedded-resource`) have a kind and valid metadata. */
export const validateEmbeddedObjects = (value: unknown, schema: StructuralSchema, path: string): FieldError[] => {
  if (isJsonList(value)) {
    const { items } = schema
    return items === undefined ? [] : value.flatMap((item, i) => validateEmbeddedObjects(item, items, `${path}[${i}]`))
  }
  if (!isJsonObject(value)) return []
  const errors = schema['x-kubernetes-embedded-resource'] === true ? checkEmbedded(value, path) : []
  for (const [key, field] of Object.entries(value)) {
    const inner = schemaOfField(schema, key)
    if (inner !== undefined) errors.push(...validateEmbeddedObjects(field, inner, path === '' ? key : `${path}.${key}`))
  }
  return errors
}

const checkEmbedded = (value: JsonObject, path: string): FieldError[] => {
  const errors: FieldError[] = []
  for (const key of ['apiVersion', 'kind']) {
    const field = `${path}.${key}`
    const given = ownValue(value, key)
    if (!Object.hasOwn(value, key)) errors.push({ field, reason: 'FieldValueRequired', message: '' })
    else if (typeof given !== 'string')
      errors.push({ field, reason: 'FieldValueInvalid', message: 'must be a string', badValue: given })
    else if (given === '')
      errors.push({ field, reason: 'FieldValueInvalid', message: 'must not be empty', badValue: given })
  }
  const { metadata } = value
  if (metadata === undefined) return errors
  if (!isJsonObject(metadata)) {
    return [
      ...errors,
      { field: `${path}.metadata`, reason: 'FieldValueInvalid', message: 'must be an object', badValue: metadata },
    ]
  }
  // An embedded object needs no name.
  const named =
    typeof metadata['name'] === 'string' && metadata['name'] !== '' ? metadata : { ...metadata, name: 'unnamed' }
  return [...errors, ...validateObjectMeta(named).map((error) => ({ ...error, field: `${path}.${error.field}` }))]
}
