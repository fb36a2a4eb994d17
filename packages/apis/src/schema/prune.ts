import { ownValue } from '../own-value.ts'
import { isJsonList, isJsonObject, type JsonObject, type StructuralSchema } from './structural-schema.ts'

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** The metadata fields that every object may have. */
const METADATA: ReadonlySet<string> = new Set([
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
])

const pruneMetadata = (metadata: unknown, path: string, onUnknown: OnUnknown): unknown => {
  if (!isJsonObject(metadata)) return metadata
  return Object.fromEntries(
    Object.entries(metadata).filter(([key]) => {
      if (!METADATA.has(key)) onUnknown(`${path}.${key}`)
      return METADATA.has(key)
    }),
  )
}

/** Called with the path of each field that is not in the schema. */
type OnUnknown = (path: string) => void

/**
 * Returns a copy without the fields that are not in the schema, as an API server stores it. Always keeps apiVersion, kind and metadata of
 * the root, but drops unknown fields of the metadata. Calls `onUnknown` for every field that it drops.
 */
export const pruneObject = (
  object: JsonObject,
  schema: StructuralSchema,
  onUnknown: OnUnknown = () => {},
): JsonObject => {
  const pruned = prune(object, { ...schema, 'x-kubernetes-embedded-resource': true }, '', onUnknown)
  return isJsonObject(pruned) ? pruned : {}
}

const prune = (value: unknown, schema: StructuralSchema | undefined, path: string, onUnknown: OnUnknown): unknown => {
  if (isJsonList(value)) {
    const keepsUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true
    const items = schema?.items
    if (keepsUnknown && items === undefined) return value
    return value.map((item, index) => prune(item, items, `${path}[${index}]`, onUnknown))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
      const fieldPath = path === '' ? key : `${path}.${key}`
      if (schema?.['x-kubernetes-embedded-resource'] === true && META_FIELDS.has(key)) {
        return [[key, key === 'metadata' ? pruneMetadata(field, fieldPath, onUnknown) : field]]
      }
      const known = schema?.properties !== undefined && Object.hasOwn(schema.properties, key)
      if (known) return [[key, prune(field, ownValue(schema?.properties, key), fieldPath, onUnknown)]]
      if (schema?.additionalProperties === true) return [[key, field]]
      if (typeof schema?.additionalProperties === 'object') {
        return [[key, prune(field, schema.additionalProperties, fieldPath, onUnknown)]]
      }
      if (schema?.['x-kubernetes-preserve-unknown-fields'] === true) return [[key, field]]
      onUnknown(fieldPath)
      return []
    }),
  )
}
