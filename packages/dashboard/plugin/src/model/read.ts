import { ownField, parseTime } from '@kerf/apis'

/**
 * This file contains functions that read objects. An object may have another version, or be incomplete or malformed. A missing value or a
 * value of another type is `undefined`, and nothing throws.
 */

export type Fields = Readonly<Record<string, unknown>>

/** Returns whether a value is an object with fields, and not a list or `null`. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the message of an error, or the text of any other value that was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns the value at a path. */
export const at = (value: unknown, ...path: readonly string[]): unknown => {
  let found = value
  for (const name of path) found = ownField(found, name)
  return found
}

export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path)
  if (typeof found === 'string') return found === '' ? undefined : found
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined
}

export const numberAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

export const fieldsAt = (value: unknown, ...path: readonly string[]): Fields => {
  const found = at(value, ...path)
  return isFields(found) ? found : {}
}

/** Returns an RFC 3339 time in milliseconds since the epoch. */
export const timeAt = (value: unknown, ...path: readonly string[]): number | undefined =>
  parseTime(textAt(value, ...path))

export const objectName = (object: unknown): string => textAt(object, 'metadata', 'name') ?? ''
export const objectLabel = (object: unknown, key: string): string | undefined =>
  textAt(object, 'metadata', 'labels', key)
export const isDeleting = (object: unknown): boolean => at(object, 'metadata', 'deletionTimestamp') !== undefined

/**
 * Caches a result per object. A changed object of the cluster is a new JavaScript object, and an unchanged one stays
 * the same.
 */
export const onceForEach = <Found>(work: (object: unknown) => Found): ((object: unknown) => Found) => {
  const known = new WeakMap<object, Found>()
  return (object) => {
    if (typeof object !== 'object' || object === null) return work(object)
    const before = known.get(object)
    if (before !== undefined) return before
    const found = work(object)
    known.set(object, found)
    return found
  }
}

const sound = onceForEach((object): object => {
  const status = fieldsAt(object, 'status')
  const conditions = listAt(status, 'conditions').filter((each) => textAt(each, 'type') !== undefined)
  return { ...fieldsAt(object), status: { ...status, capacity: fieldsAt(status, 'capacity'), conditions } }
})

/** Returns the object with a well-formed status, for functions that require one. Omits malformed conditions. */
export const withSoundStatus = <T>(object: T): T => sound(object) as T
