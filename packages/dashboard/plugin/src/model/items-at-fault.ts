import type { CompiledSchema, FieldError } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { at, type Fields } from './read.ts'
import { partsOf } from './yaml-place.ts'

/** A list or map with more items is marked as a whole, because each item requires a validation. */
const MOST_ITEMS = 100

/** Returns the object with another value at a path of field names and indexes. */
const withAt = (value: unknown, path: readonly string[], changed: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return changed
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withAt(each, rest, changed) : each))
  return { ...(value as Fields), [key]: withAt(ownValue(value as Fields, key), rest, changed) }
}

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns each item of a list or map with its path and a copy of the list or map that contains only this item. */
const partsAlone = (value: unknown, field: string): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [`${field}[${index}]`, [item]])
  // Fields of an object belong together. Entries of a string map are independent.
  if (!isMap(value) || !Object.values(value).every((each) => typeof each === 'string')) return []
  return Object.entries(value).map(([key, each]) => [`${field}["${key}"]`, { [key]: each }])
}

/**
 * Returns where to show an error of a list or map. A rule such as `self.all(x, …)` applies to the whole, but only some
 * items violate it. Finds them by validating with each item alone.
 */
export const itemsAtFault = (error: FieldError, object: Fields, schema: CompiledSchema): readonly string[] => {
  const path = partsOf(error.field)
  const parts = error.reason === 'FieldValueInvalid' ? partsAlone(at(object, ...path), error.field) : []
  if (parts.length > MOST_ITEMS) return [error.field]
  const isRefusedWith = (part: unknown): boolean =>
    schema
      .validateCreate(withAt(object, path, part) as Fields)
      .some(({ field, message }) => field === error.field && message === error.message)
  const refused = parts.flatMap(([place, part]) => (isRefusedWith(part) ? [place] : []))
  return refused.length === 0 ? [error.field] : refused
}
