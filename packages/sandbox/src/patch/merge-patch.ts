import { setOwnValue } from '@kerf/apis'
import { clone, isObject, type JsonObject, type JsonValue, objectAt } from '../store/json.ts'

/**
 * Applies a merge patch (RFC 7386): members of `patch` replace members of `target`, `null` removes them, and lists are replaced
 * completely. Changes `target` in place.
 */
export const applyMergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete target[key]
    else if (isObject(value)) setOwnValue(target, key, applyMergePatch(objectAt(target, key) ?? {}, value))
    else if (value !== undefined) setOwnValue(target, key, clone(value) as JsonValue)
  }
  return target
}
