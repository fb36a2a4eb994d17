import type { CompiledSchema, FieldError } from '@kerf/apis'
import { at, type Fields } from './read.ts'
import { partsOf } from './yaml-place.ts'

/** A list with more items is marked as a whole: each is a validation of its own. */
const MOST_ITEMS = 100

/** The object with another value at a path of field names and indexes. */
const withAt = (value: unknown, path: readonly string[], changed: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return changed
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withAt(each, rest, changed) : each))
  return { ...(value as Fields), [key]: withAt((value as Fields)[key], rest, changed) }
}

/**
 * Where a problem of a list is to be shown: a rule such as `self.all(x, …)` is about a list, and what breaks it are some of
 * its items. Those are found by asking whether the list would still be refused with each of them alone.
 */
export const itemsAtFault = (error: FieldError, object: Fields, schema: CompiledSchema): readonly string[] => {
  const path = partsOf(error.field)
  const list = at(object, ...path)
  if (error.reason !== 'FieldValueInvalid' || !Array.isArray(list) || list.length > MOST_ITEMS) return [error.field]
  const isRefusedAlone = (item: unknown): boolean =>
    schema
      .validateCreate(withAt(object, path, [item]) as Fields)
      .some(({ field, message }) => field === error.field && message === error.message)
  const refused = list.flatMap((item, index) => (isRefusedAlone(item) ? [`${error.field}[${index}]`] : []))
  return refused.length === 0 ? [error.field] : refused
}
