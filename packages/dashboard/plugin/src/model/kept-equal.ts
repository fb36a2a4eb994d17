import { ownValue, setOwnValue } from '@kerf/apis'
import { type Fields, isFields } from './read.ts'

/**
 * Returns whether the value is compared by its content. Objects of the cluster are compared by identity, because a
 * changed one is a new JavaScript object. Instances of classes are compared by identity too.
 */
const isCompared = (value: unknown): value is Fields =>
  isFields(value) && Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, 'metadata')

const keptList = (before: readonly unknown[], now: readonly unknown[]): readonly unknown[] => {
  const items = now.map((item, place) => kept(before[place], item))
  return before.length === items.length && items.every((item, place) => Object.is(item, before[place])) ? before : items
}

const keptMap = (before: ReadonlyMap<unknown, unknown>, now: ReadonlyMap<unknown, unknown>): unknown => {
  const entries = new Map(
    Array.from(now, ([key, value]) => [key, before.has(key) ? kept(before.get(key), value) : value]),
  )
  const isSame = [...entries].every(([key, value]) => before.has(key) && Object.is(value, before.get(key)))
  return isSame && before.size === entries.size ? before : entries
}

const keptFields = (before: Fields, now: Fields): unknown => {
  const names = Object.keys(now)
  const values = names.map((name) =>
    Object.hasOwn(before, name) ? kept(ownValue(before, name), ownValue(now, name)) : ownValue(now, name),
  )
  const isSame =
    Object.keys(before).length === names.length &&
    names.every((name, place) => Object.hasOwn(before, name) && Object.is(values[place], ownValue(before, name)))
  if (isSame) return before
  const fields: Record<string, unknown> = {}
  for (const [place, name] of names.entries()) setOwnValue(fields, name, values[place])
  return fields
}

const kept = (before: unknown, now: unknown): unknown => {
  if (Object.is(before, now)) return before
  if (Array.isArray(before) && Array.isArray(now)) return keptList(before, now)
  if (before instanceof Map && now instanceof Map) return keptMap(before, now)
  return isCompared(before) && isCompared(now) ? keptFields(before, now) : now
}

/**
 * Returns a value equal to `now` that reuses all equal parts of `before`: lists, maps and plain objects with the same content. Returns
 * `before` itself if everything is equal, so that values that were computed from it stay valid and React does not render them again.
 * Compares objects of the cluster and instances of classes by identity.
 */
export const keptEqual = <T>(before: unknown, now: T): T => kept(before, now) as T
