import { ownField, timeOf } from '@kerf/apis'

/**
 * Reading objects that may be of another version, half filled or plainly wrong: what is not there or of another type is
 * `undefined`, and nothing throws.
 */

export type Fields = Readonly<Record<string, unknown>>

/** The value at a path. */
export const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce(ownField, value)

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
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Fields) : {}
}

/** Milliseconds since the epoch of an RFC 3339 time. */
export const timeAt = (value: unknown, ...path: readonly string[]): number | undefined => timeOf(textAt(value, ...path))

export const nameOf = (object: unknown): string => textAt(object, 'metadata', 'name') ?? ''
export const labelOf = (object: unknown, key: string): string | undefined => textAt(object, 'metadata', 'labels', key)
export const isDeleting = (object: unknown): boolean => at(object, 'metadata', 'deletionTimestamp') !== undefined

/**
 * Works something out once for each version of an object: what changes in the cluster comes as another object, the others stay the
 * very same.
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

/** The object with a status of the right shape, for functions that take it for granted: damaged conditions are left out. */
export const withSoundStatus = <T>(object: T): T => sound(object) as T
