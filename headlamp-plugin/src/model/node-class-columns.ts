import { listAt, textAt } from './read.ts'

/** A column of a list of node classes, besides those that every list has. */
export interface NodeClassColumn<Title extends string = string> {
  readonly id: string
  /** The key of its title. */
  readonly title: Title
  /** Paths to the value, as field names. The first path with a value counts. */
  readonly paths: readonly (readonly string[])[]
  /** For lists: the fields of an item. The first field with a value is shown for each item. */
  readonly itemFields?: readonly string[]
}

const firstText = (object: unknown, paths: readonly (readonly string[])[]): string | undefined => {
  for (const path of paths) {
    const text = textAt(object, ...path)
    if (text !== undefined) return text
  }
  return undefined
}

/** What the column shows for the object; empty when the object has no value. */
export const columnText = ({ paths, itemFields }: NodeClassColumn, object: unknown): string => {
  if (itemFields === undefined) return firstText(object, paths) ?? ''
  const fields = itemFields.map((field) => [field])
  const items = paths.map((path) => listAt(object, ...path)).find((list) => list.length > 0) ?? []
  return items.map((item) => firstText(item, fields) ?? '').join(', ')
}
