import { isObject, type JsonObject, objectAt, objectsAt, setDefault } from '../store/json.ts'
import type { TypeSchema } from './type-schema.ts'

/** Sets the schema's defaults in an object and its nested objects. */
export const schemaDefaults = (draft: JsonObject, schema: TypeSchema): void => {
  for (const [key, field] of schema.fields) {
    if (field.default !== undefined && !Object.isFrozen(draft)) setDefault(draft, key, field.default)
    const type = field.object?.()
    const inner = type === undefined ? undefined : objectAt(draft, key)
    if (type !== undefined && isObject(inner)) schemaDefaults(inner, type)
    const items = field.items?.object?.()
    if (items !== undefined) for (const item of objectsAt(draft, key)) schemaDefaults(item, items)
  }
}
