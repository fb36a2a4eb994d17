import { isObject, type JsonObject, objectAt } from '../store/json.ts'
import { type FieldSchema, objectMetaType, type TypeSchema } from './type-schema.ts'

const listOf = (schema: JsonObject): Pick<FieldSchema, 'list' | 'keys'> => {
  const list = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  return {
    ...(list === 'set' || list === 'map' || list === 'atomic' ? { list } : {}),
    ...(Array.isArray(keys) ? { keys: keys.map(String) } : {}),
  }
}

const schemaField = (schema: JsonObject, name: string): FieldSchema => {
  const atomic = schema['x-kubernetes-map-type'] === 'atomic'
  const standard = schema['default']
  const base = {
    ...(atomic ? { map: 'atomic' as const } : {}),
    ...(standard === undefined ? {} : { default: standard }),
  }
  if (schema['x-kubernetes-int-or-string'] === true) return { ...base, type: 'int-or-string' }
  switch (schema['type']) {
    case 'object': {
      const values = objectAt(schema, 'additionalProperties')
      if (values !== undefined && schema['properties'] === undefined)
        return { ...base, type: 'map', values: schemaField(values, name) }
      const type = typeOf(schema, name)
      return { ...base, object: () => type }
    }
    case 'array': {
      const items = objectAt(schema, 'items')
      return {
        ...base,
        type: 'array',
        ...listOf(schema),
        ...(items === undefined ? {} : { items: schemaField(items, name) }),
      }
    }
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return { ...base, type: schema['type'] }
    default:
      return { ...base, type: 'any' }
  }
}

const typeOf = (schema: JsonObject, name: string): TypeSchema => {
  const fields = new Map<string, FieldSchema>()
  for (const [key, value] of Object.entries(objectAt(schema, 'properties') ?? {}))
    if (isObject(value)) fields.set(key, schemaField(value, `${name}.${key}`))
  return {
    name,
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields,
    open: schema['x-kubernetes-preserve-unknown-fields'] === true || fields.size === 0,
  }
}

/** Returns the merge rules for the fields of a custom resource, derived from its `openAPIV3Schema`. */
export const customType = (name: string, openApi: JsonObject): TypeSchema => {
  const own = typeOf(openApi, name)
  const fields = new Map(own.fields)
  fields.set('apiVersion', { type: 'string' })
  fields.set('kind', { type: 'string' })
  fields.set('metadata', { object: objectMetaType })
  return { ...own, fields }
}
