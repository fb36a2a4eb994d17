import { ownValue } from '@kerf/apis'

/**
 * The shape of a value: the kinds of values at each path, without the values themselves. `[]` stands for the items of a list, which share
 * one shape.
 */
export type Shape = Readonly<Record<string, readonly string[]>>

const valueKind = (value: unknown): string => {
  if (value === null) return 'null'
  if (value instanceof Date) return 'date'
  return Array.isArray(value) ? 'list' : typeof value
}

const visit = (value: unknown, path: string, found: Map<string, Set<string>>): void => {
  if (value === undefined) return
  const kind = valueKind(value)
  found.set(path, (found.get(path) ?? new Set()).add(kind))
  if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`, found)
  else if (kind === 'object')
    for (const [key, each] of Object.entries(value as object)) visit(each, path === '' ? key : `${path}.${key}`, found)
}

export const describeShape = (value: unknown): Shape => {
  const found = new Map<string, Set<string>>()
  visit(value, '', found)
  return Object.fromEntries(
    [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, kinds]) => [path, [...kinds].toSorted()]),
  )
}

/** Returns the union of both shapes. */
export const mergedShapes = (a: Shape, b: Shape): Shape =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .toSorted()
      .map((path) => [path, [...new Set([...(ownValue(a, path) ?? []), ...(ownValue(b, path) ?? [])])].toSorted()]),
  )
