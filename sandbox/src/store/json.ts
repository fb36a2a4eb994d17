import { ownValue, setOwnValue } from '@kerf/apis'

/** Plain JSON while it is being worked on: mutable, and nothing is known about its shape yet. */
export type JsonObject = { [key: string]: JsonValue | undefined }
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under `key`, or undefined when there is something else or nothing. */
export const objectAt = (parent: unknown, key: string): JsonObject | undefined => {
  const value = isObject(parent) ? ownValue(parent, key) : undefined
  return isObject(value) ? value : undefined
}

/** The objects in the list under `key`; empty when there is no list. */
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

/** The object under `key`, taken for a string-to-string map: its values are not checked. Empty when there is no object. */
export const stringMapAt = (parent: unknown, key: string): Readonly<Record<string, string>> => {
  const value = objectAt(parent, key)
  if (value === undefined) return {}
  return value as Record<string, string>
}

/** The object under `key`, made when it is missing. */
export const ensureObject = (parent: JsonObject, key: string): JsonObject => {
  const value = ownValue(parent, key)
  if (isObject(value)) return value
  const made: JsonObject = {}
  setOwnValue(parent, key, made)
  return made
}

/** Sets `key` unless it has a value already. */
export const setDefault = (parent: JsonObject, key: string, value: JsonValue): void => {
  if (ownValue(parent, key) === undefined || ownValue(parent, key) === null) setOwnValue(parent, key, value)
}

/** A mutable copy. Members that are `undefined` are dropped, as JSON would. */
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

/** Freezes the whole tree. Stops at what is frozen already: in the store that is always frozen to the leaves. */
export const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key in value) freeze(value[key])
  }
  return value
}

/** Equality of JSON trees; the order of members does not count, and absent equals `undefined`. */
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

/** Like `equal`, but absent, `null`, `{}` and `[]` are the same, as they are for the server's typed objects. */
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
 * Changes `after`: subtrees that equal those of `before` are replaced by them, so that versions of an object share what did
 * not change. Returns `before` itself when everything is equal. Lists, and objects more than `depth` levels down, are
 * shared whole or not at all.
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
