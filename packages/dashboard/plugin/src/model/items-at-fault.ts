import type { CompiledSchema, FieldError } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { at, type Fields, isFields } from './read.ts'
import { fieldSegments } from './yaml-place.ts'

/** Maximum number of items that are validated one by one. A larger list or map is marked as a whole. */
const MOST_ITEMS = 100

/** Returns a copy of the object with another value at a path of field names and indexes. */
const withAt = (value: unknown, path: readonly string[], changed: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return changed
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withAt(each, rest, changed) : each))
  return { ...(value as Fields), [key]: withAt(ownValue(value as Fields, key), rest, changed) }
}

/** Returns each item of a list or map, with its path and a copy of the list or map that contains only this item. */
const partsAlone = (value: unknown, field: string): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [`${field}[${index}]`, [item]])
  // Do not separate the fields of an object, because they belong together. The entries of a map of strings are
  // independent of each other.
  if (!isFields(value) || !Object.values(value).every((each) => typeof each === 'string')) return []
  return Object.entries(value).map(([key, each]) => [`${field}["${key}"]`, { [key]: each }])
}

/**
 * Returns the paths at which to show an error of a list or map. A rule such as `self.all(x, …)` reports the list as a
 * whole, even if only some items violate it. Finds these items by validating the object with one item at a time.
 */
export const itemsAtFault = (error: FieldError, object: Fields, schema: CompiledSchema): readonly string[] => {
  const path = fieldSegments(error.field)
  const parts = error.reason === 'FieldValueInvalid' ? partsAlone(at(object, ...path), error.field) : []
  if (parts.length > MOST_ITEMS) return [error.field]
  const isRefusedWith = (part: unknown): boolean =>
    schema
      .validateCreate(withAt(object, path, part) as Fields)
      .some(({ field, message }) => field === error.field && message === error.message)
  const refused = parts.flatMap(([place, part]) => (isRefusedWith(part) ? [place] : []))
  return refused.length === 0 ? [error.field] : refused
}
