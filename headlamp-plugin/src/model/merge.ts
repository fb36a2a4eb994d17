import { isEqualJson, ownValue } from '@kerf/apis'
import { isNode, parseDocument, stringify } from 'yaml'
import { cleanObject, textOf } from './editing.ts'
import { at, type Fields } from './read.ts'

/** A field that two people changed to different things; a value that is absent was removed. */
export interface Conflict {
  readonly path: readonly string[]
  readonly mine: unknown
  readonly theirs: unknown
}

/** A field that somebody else changed and the text did not touch. */
export interface Change {
  readonly path: readonly string[]
  readonly value: unknown
}

interface Difference {
  readonly changes: readonly Change[]
  readonly conflicts: readonly Conflict[]
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => a === b || (a !== undefined && b !== undefined && isEqualJson(a, b))

/**
 * What `theirs` changed of `base`, field by field: taken over where `mine` left the field alone, a conflict where it says
 * something else. A list is one value: which item of one list is which of the other cannot be told.
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

/** The text with a field at another value, or without it; comments and order of everything else stay. */
export const withField = (text: string, path: readonly string[], value: unknown): string => {
  const document = parseDocument(text, { compat: 'yaml-1.1' })
  // The indexes of lists never stand in a path, so every part is the key of a map.
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, isNode(value) ? value : document.createNode(value))
  return document.toString({ lineWidth: 0 })
}

export interface Merged {
  readonly text: string
  /** What was taken over. */
  readonly changes: readonly Change[]
  /** Where the text still has its own value; a person decides. */
  readonly conflicts: readonly Conflict[]
}

/**
 * A text and the stored object, which both began as `base`, made one: what somebody else changed goes into the text except
 * where the text changed it too. `mine` is the object that the text describes. Expects a text that can be read.
 */
export const mergeInto = (text: string, base: unknown, mine: unknown, theirs: unknown): Merged => {
  if (text === textOf(base)) return { text: textOf(theirs), changes: [], conflicts: [] }
  const { changes, conflicts } = differences(cleanObject(base), cleanObject(mine), cleanObject(theirs))
  try {
    const merged = changes.reduce((edited, { path, value }) => withField(edited, path, value), text)
    return { text: merged, changes, conflicts }
  } catch {
    // Anchors and aliases may make one place of a text two places of the object: what it says is kept, its form is not.
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

/** `spec.disruption.consolidateAfter`, as problems name a field. */
export const pathText = (path: readonly string[]): string =>
  path.reduce((text, key) => (/^[\w-]+$/.test(key) ? (text === '' ? key : `${text}.${key}`) : `${text}["${key}"]`), '')

/** What somebody else changed since `base`, as paths: what the warning names. */
export const changedPaths = (base: unknown, theirs: unknown): readonly string[] =>
  differences(cleanObject(base), cleanObject(base), cleanObject(theirs)).changes.map(({ path }) => pathText(path))
