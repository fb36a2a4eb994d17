import { ownValue, setOwnValue } from '@kerf/apis'
import type { FieldSchema, TypeSchema } from '../schema/type-schema.ts'
import { clone, equal, isObject, type JsonObject, type JsonValue } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'

const DIRECTIVE = '$patch'
const RETAIN = '$retainKeys'
const ORDER = '$setElementOrder/'
const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/'

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/**
 * Applies a strategic merge patch. It works like a merge patch, except that lists with a merge key are merged item by item.
 * Supports `$patch`, `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList`. Changes `target` in place and returns it.
 */
export const applyStrategicPatch = (
  target: JsonObject,
  patch: JsonObject,
  schema: TypeSchema | undefined,
): JsonObject => {
  const directive = patch[DIRECTIVE]
  if (directive === 'replace') {
    const { [DIRECTIVE]: _directive, ...replacement } = patch
    return clone(replacement) as JsonObject
  }
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge')
    throw statusErrors.badRequest(`Unknown patch type: ${JSON.stringify(directive)}`)
  retainKeys(target, patch)
  for (const [key, value] of Object.entries(patch)) {
    if (key === DIRECTIVE || key === RETAIN || key.startsWith(ORDER)) continue
    if (key.startsWith(DELETE_PRIMITIVES)) {
      const list = key.slice(DELETE_PRIMITIVES.length)
      const current = ownValue(target, list)
      if (Array.isArray(current) && Array.isArray(value))
        setOwnValue(
          target,
          list,
          current.filter((item) => !value.some((gone) => equal(gone, item))),
        )
      continue
    }
    if (value === null) {
      delete target[key]
      continue
    }
    if (value === undefined) continue
    const field = schema?.fields.get(key)
    setOwnValue(target, key, merged(ownValue(target, key), value, field))
  }
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(ORDER) || !Array.isArray(order)) continue
    const list = key.slice(ORDER.length)
    const current = ownValue(target, list)
    if (Array.isArray(current)) setOwnValue(target, list, ordered(current, order, schema?.fields.get(list)?.mergeKey))
  }
  return target
}

const merged = (current: JsonValue | undefined, value: JsonValue, field: FieldSchema | undefined): JsonValue => {
  if (Array.isArray(value)) {
    if (field?.patch?.includes('merge') === true) return mergedList(Array.isArray(current) ? current : [], value, field)
    return clone(
      value.filter((item) => !(isObject(item) && item[DIRECTIVE] === 'replace' && Object.keys(item).length === 1)),
    )
  }
  if (isObject(value)) return applyStrategicPatch(isObject(current) ? current : {}, value, field?.object?.())
  return value
}

const mergedList = (current: JsonValue[], patch: JsonValue[], field: FieldSchema): JsonValue[] => {
  const key = field.mergeKey
  if (key === undefined) {
    const out = [...current]
    for (const item of patch) if (isScalar(item) && !out.some((one) => equal(one, item))) out.push(item)
    return out
  }
  const items = patch.filter(isObject)
  const isReplaced = items.some((item) => item[DIRECTIVE] === 'replace')
  const out: JsonValue[] = isReplaced ? [] : [...current]
  for (const item of items) {
    const directive = item[DIRECTIVE]
    const identity = ownValue(item, key)
    if (directive === 'replace' && Object.keys(item).length === 1) continue
    if (identity === undefined)
      throw statusErrors.badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`)
    const position = out.findIndex((one) => isObject(one) && equal(ownValue(one, key), identity))
    if (directive === 'delete') {
      if (position >= 0) out.splice(position, 1)
      continue
    }
    const { [DIRECTIVE]: _directive, ...content } = item
    const found = position >= 0 ? out[position] : undefined
    const next = applyStrategicPatch(isObject(found) ? found : {}, content, field.items?.object?.())
    if (position >= 0) out[position] = next
    else out.push(next)
  }
  return out
}

/** Applies `$retainKeys`: drops every member that the directive does not list. Used for unions, which allow only one member. */
const retainKeys = (target: JsonObject, patch: JsonObject): void => {
  const retained = patch[RETAIN]
  if (!Array.isArray(retained)) return
  const keep = new Set(retained.map(String))
  for (const key of Object.keys(target)) if (!keep.has(key)) delete target[key]
}

/** Sorts the items in the order of the patch. Items that are not in the patch keep their position relative to their neighbours. */
const ordered = (items: JsonValue[], order: JsonValue[], key: string | undefined): JsonValue[] => {
  const identity = (item: JsonValue): JsonValue | undefined =>
    key === undefined ? item : isObject(item) ? ownValue(item, key) : undefined
  const wanted = order.map(identity)
  const rank = (item: JsonValue): number => wanted.findIndex((one) => equal(one, identity(item)))
  const named = items.filter((item) => rank(item) >= 0).toSorted((a, b) => rank(a) - rank(b))
  const out: JsonValue[] = []
  let next = 0
  for (const item of items) {
    if (rank(item) < 0) {
      out.push(item)
      continue
    }
    const one = named[next++]
    if (one !== undefined) out.push(one)
  }
  return out
}
