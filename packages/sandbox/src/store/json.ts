import { ownValue, setOwnValue } from '@kerf/apis'

/** Mutable JSON with an unknown structure. */
export type JsonObject = { [key: string]: JsonValue | undefined }
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the object under `key`, or `undefined` if there is no object. */
export const objectAt = (parent: unknown, key: string): JsonObject | undefined => {
  const value = isObject(parent) ? ownValue(parent, key) : undefined
  return isObject(value) ? value : undefined
}

/** Returns the objects in the list under `key`, or an empty list if there is no list. */
export const objectsAt = (parent: unknown, key: string): JsonObject[] => {
  const value = isObject(parent) ? ownValue(parent, key) : undefined
  return Array.isArray(value) ? value.filter(isObject) : []
}

export const stringAt = (parent: unknown, key: string): string | undefined => {
  const value = isObject(parent) ? ownValue(parent, key) : undefined
  return typeof value === 'string' ? value : undefined
}

export const numberAt = (parent: unknown, key: string): number | undefined => {
  const value = isObject(parent) ? ownValue(parent, key) : undefined
  return typeof value === 'number' ? value : undefined
}

/** Returns the object under `key` as a string-to-string map without checking its values. Empty if there is no object. */
export const stringMapAt = (parent: unknown, key: string): Readonly<Record<string, string>> => {
  const value = objectAt(parent, key)
  if (value === undefined) return {}
  return value as Record<string, string>
}

/** Returns the object under `key`. Creates it if it is missing. */
export const ensureObject = (parent: JsonObject, key: string): JsonObject => {
  const value = ownValue(parent, key)
  if (isObject(value)) return value
  const made: JsonObject = {}
  setOwnValue(parent, key, made)
  return made
}

/** Sets `key` unless it already has a value. */
export const setDefault = (parent: JsonObject, key: string, value: JsonValue): void => {
  if (ownValue(parent, key) === undefined || ownValue(parent, key) === null) setOwnValue(parent, key, value)
}

/** Returns a mutable copy. Drops members that are `undefined`, as JSON does. */
export const clone = (value: unknown): JsonValue => {
  if (Array.isArray(value)) return value.map(clone)
  if (typeof value === 'object' && value !== null) {
    const copy: JsonObject = {}
    for (const key in value) {
      const member = ownValue(value as Record<string, unknown>, key)
      if (member !== undefined)
        setOwnValue(copy, key, typeof member === 'object' ? clone(member) : (member as JsonValue))
    }
    return copy
  }
  return value as JsonValue
}

export const cloneObject = (value: object): JsonObject => clone(value) as JsonObject

/** Freezes the whole tree. Skips frozen values, because in the store, everything inside a frozen value is also frozen. */
export const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key in value) freeze(value[key])
  }
  return value
}

/** Returns whether two JSON trees are equal. Ignores the order of members. An absent member equals `undefined`. */
export const equal = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  for (const key in left) if (!equal(left[key], ownValue(right, key))) return false
  for (const key in right) if (right[key] !== undefined && ownValue(left, key) === undefined) return false
  return true
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value)
    ? value.length === 0
    : isObject(value) && Object.keys(value).every((key) => ownValue(value, key) === undefined))

/** Like `equal`, but treats absent, `null`, `{}` and `[]` as equal, as the server's typed objects do. */
export const semanticallyEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (isEmpty(a) && isEmpty(b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => semanticallyEqual(item, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  for (const key in a) if (!semanticallyEqual(a[key], ownValue(b, key))) return false
  for (const key in b) if (ownValue(a, key) === undefined && !isEmpty(b[key])) return false
  return true
}

/**
 * Replaces subtrees of `after` with equal subtrees of `before`, so that versions of an object share unchanged parts. Modifies `after`.
 * Returns `before` itself if everything is equal. Lists, and objects deeper than `depth` levels, are only compared as a whole.
 */
export const shareUnchanged = (before: unknown, after: JsonValue, depth = 3): JsonValue => {
  if (before === after) return after
  if (isObject(before) && isObject(after) && depth > 0) {
    let same = true
    for (const key in after) {
      const shared = shareUnchanged(ownValue(before, key), after[key] as JsonValue, depth - 1)
      if (shared !== after[key]) after[key] = shared
      if (shared !== ownValue(before, key)) same = false
    }
    if (same)
      for (const key in before) if (ownValue(after, key) === undefined && before[key] !== undefined) same = false
    return same ? before : after
  }
  return equal(before, after) ? (before as JsonValue) : after
}
