import type { CompiledSchema, FieldError } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { at, type Fields } from './read.ts'
import { partsOf } from './yaml-place.ts'

/** What has more parts is marked as a whole: each is a validation of its own. */
const MOST_ITEMS = 100

/** The object with another value at a path of field names and indexes. */
const withAt = (value: unknown, path: readonly string[], changed: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return changed
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withAt(each, rest, changed) : each))
  return { ...(value as Fields), [key]: withAt(ownValue(value as Fields, key), rest, changed) }
}

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parts of a list or a map that may be at fault alone: where each stands, and the list or map with it and no other. */
const partsAlone = (value: unknown, field: string): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [`${field}[${index}]`, [item]])
  // Fields of an object belong together; entries of a map of texts do not.
  if (!isMap(value) || !Object.values(value).every((each) => typeof each === 'string')) return []
  return Object.entries(value).map(([key, each]) => [`${field}["${key}"]`, { [key]: each }])
}

/**
 * Where a problem of a list or a map is to be shown: a rule such as `self.all(x, …)` is about the whole, and what breaks it
 * are some of its parts. Those are found by asking whether it would still be refused with each of them alone.
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
