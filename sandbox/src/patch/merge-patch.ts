import { clone, isObject, type JsonObject, type JsonValue } from '../store/json.ts'

/** RFC 7386: members of `patch` replace those of `target`, `null` removes them, lists are replaced whole. Changes `target` in place. */
export const applyMergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete target[key]
    else if (isObject(value)) target[key] = applyMergePatch(isObject(target[key]) ? target[key] : {}, value)
    else if (value !== undefined) target[key] = clone(value) as JsonValue
  }
  return target
}
