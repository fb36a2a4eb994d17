import { isEqualJson, ownValue } from '@kerf/apis'
import { isNode, parseDocument, stringify } from 'yaml'
import { cleanObject, editorText } from './editing.ts'
import { at, isFields } from './read.ts'

/** A field that the user and another user changed differently. An absent value means that the field was removed. */
export interface Conflict {
  readonly path: readonly string[]
  readonly mine: unknown
  readonly theirs: unknown
}

/** A field that only another user changed. */
export interface Change {
  readonly path: readonly string[]
  readonly value: unknown
}

interface Difference {
  readonly changes: readonly Change[]
  readonly conflicts: readonly Conflict[]
}

const isSame = (a: unknown, b: unknown): boolean => a === b || (a !== undefined && b !== undefined && isEqualJson(a, b))

/**
 * Returns the differences between `theirs` and `base`, field by field. A changed field is a conflict if `mine` changed it to another value.
 * A list is treated as one value, because its items cannot be matched.
 */
export const differences = (
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: readonly string[] = [],
): Difference => {
  if (isSame(base, theirs) || isSame(mine, theirs)) return { changes: [], conflicts: [] }
  if (isFields(theirs) && isFields(mine) && (isFields(base) || base === undefined)) {
    const keys = [...new Set([...Object.keys(base ?? {}), ...Object.keys(theirs)])]
    const parts = keys.map((key) => differences(at(base, key), at(mine, key), at(theirs, key), [...path, key]))
    return { changes: parts.flatMap(({ changes }) => changes), conflicts: parts.flatMap(({ conflicts }) => conflicts) }
  }
  return isSame(base, mine)
    ? { changes: [{ path, value: theirs }], conflicts: [] }
    : { changes: [], conflicts: [{ path, mine, theirs }] }
}

/** Returns the text with a field changed or removed. Keeps comments and the order of other fields. */
export const withField = (text: string, path: readonly string[], value: unknown): string => {
  const document = parseDocument(text, { compat: 'yaml-1.1' })
  // A path contains no list indexes, so each of its items is a map key.
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, isNode(value) ? value : document.createNode(value))
  return document.toString({ lineWidth: 0 })
}

export interface Merged {
  readonly text: string
  /** The changes that were merged. */
  readonly changes: readonly Change[]
  /** The conflicts. For each of these fields, the text keeps its own value until the user decides. */
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges the stored object into a text. The text and the stored object (`theirs`) are both edits of `base`. Changes in
 * the stored object are written into the text, except in fields that the text also changed. `mine` is the object in the
 * text. Expects a text that can be parsed.
 */
export const mergeInto = (text: string, base: unknown, mine: unknown, theirs: unknown): Merged => {
  if (text === editorText(base)) return { text: editorText(theirs), changes: [], conflicts: [] }
  const { changes, conflicts } = differences(cleanObject(base), cleanObject(mine), cleanObject(theirs))
  try {
    const merged = changes.reduce((edited, { path, value }) => withField(edited, path, value), text)
    return { text: merged, changes, conflicts }
  } catch {
    // If the text has anchors and aliases, one position in it can stand for several fields. The merge then keeps the
    // values of the text but loses its comments and formatting.
    const merged = changes.reduce<unknown>((object, { path, value }) => withValue(object, path, value), mine)
    return {
      text: stringify(merged, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false }),
      changes,
      conflicts,
    }
  }
}

const withValue = (object: unknown, [key, ...rest]: readonly string[], value: unknown): unknown => {
  if (key === undefined) return value
  const fields = isFields(object) ? object : {}
  const after = withValue(ownValue(fields, key), rest, value)
  return after === undefined
    ? Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))
    : { ...fields, [key]: after }
}

/** Returns a path as text, such as `spec.disruption.consolidateAfter`, in the format of `FieldProblem`. */
export const pathText = (path: readonly string[]): string =>
  path.reduce((text, key) => (/^[\w-]+$/.test(key) ? (text === '' ? key : `${text}.${key}`) : `${text}["${key}"]`), '')

/** Returns the paths that another user has changed since `base`, for the warning. */
export const changedPaths = (base: unknown, theirs: unknown): readonly string[] =>
  differences(cleanObject(base), cleanObject(base), cleanObject(theirs)).changes.map(({ path }) => pathText(path))
