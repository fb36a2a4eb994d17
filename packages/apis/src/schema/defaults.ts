import { setOwnValue } from '../own-value.ts'
import { isJsonList, isJsonObject, type JsonObject, type StructuralSchema, schemaOfField } from './structural-schema.ts'

/**
 * Returns a copy with all defaults, including those inside of default values. If the schema does not allow null, a null counts as
 * absent: it is replaced by the default or dropped.
 */
export const withDefaults = (object: JsonObject, schema: StructuralSchema): JsonObject => {
  const filled = fill(withoutNulls(object, schema), schema)
  return isJsonObject(filled) ? filled : {}
}

const mayBeNull = (schema: StructuralSchema | undefined): boolean => schema === undefined || schema.nullable === true

const withoutNulls = (value: unknown, schema: StructuralSchema | undefined): unknown => {
  if (isJsonList(value)) return value.map((item) => withoutNulls(item, schema?.items))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
      const inner = schema === undefined ? undefined : schemaOfField(schema, key)
      if (field === null && !mayBeNull(inner) && inner?.default === undefined) return []
      return [[key, withoutNulls(field, inner)]]
    }),
  )
}

const fill = (value: unknown, schema: StructuralSchema | undefined): unknown => {
  if (schema === undefined) return value
  if (isJsonList(value)) return value.map((item) => fill(orDefault(item, schema.items), schema.items))
  if (!isJsonObject(value)) return value
  const filled: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    const inner = schemaOfField(schema, key)
    setOwnValue(filled, key, fill(orDefault(field, inner), inner))
  }
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(filled, key) && inner.default !== undefined) setOwnValue(filled, key, fill(inner.default, inner))
  }
  return filled
}

const orDefault = (value: unknown, schema: StructuralSchema | undefined): unknown =>
  value === null && !mayBeNull(schema) && schema?.default !== undefined ? schema.default : value
