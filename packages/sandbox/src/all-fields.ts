import { type KubeObject, setOwnValue } from '@kerf/apis'
import { builtinKind, builtinRoots, type FieldSchema, type TypeSchema } from './schema/type-schema.ts'
import type { JsonObject, JsonValue } from './store/json.ts'

/** The maximum depth of generated objects. Without this limit, recursive schemas such as JSONSchemaProps would cause infinite recursion. */
const DEEPEST = 12

/** Types that clients send or receive but that no resource stores. */
const NO_KINDS = ['/v1/DeleteOptions', '/v1/Status']

const sampleOf = (field: FieldSchema, depth: number): JsonValue => {
  if (field.object !== undefined) return depth > DEEPEST ? {} : filled(field.object(), depth + 1)
  switch (field.type) {
    case 'array':
      return field.items === undefined ? [] : [sampleOf(field.items, depth)]
    case 'map':
      return field.values === undefined ? {} : { key: sampleOf(field.values, depth) }
    case 'string':
      return field.format === 'byte' ? 'YQ==' : 'a'
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 1
    case 'boolean':
      return true
    case 'quantity':
      return '500m'
    case 'time':
      return '2026-01-02T03:04:05Z'
    case 'micro-time':
      return '2026-01-02T03:04:05.000000Z'
    default:
      return {}
  }
}

const filled = (type: TypeSchema, depth: number): JsonObject => {
  const object: JsonObject = {}
  for (const [key, field] of type.fields) setOwnValue(object, key, sampleOf(field, depth))
  return object
}

/** Returns the built-in kinds as `group/version/kind`. The group is empty for the core group. */
export const builtinKindNames = (): readonly string[] =>
  Object.keys(builtinRoots()).filter((name) => !NO_KINDS.includes(name))

/**
 * Returns an object of a built-in kind with every field of its schema set, except the status. The values are arbitrary but have the
 * right type.
 */
export const objectWithAllFields = (name: string): KubeObject => {
  const [group = '', version = '', kind = ''] = name.split('/')
  const schema = builtinKind(group, version, kind)
  const { status: _, ...object } = schema === undefined ? {} : filled(schema, 0)
  const apiVersion = group === '' ? version : `${group}/${version}`
  return { ...object, apiVersion, kind, metadata: { name: 'a' } } as unknown as KubeObject
}
