import type { NodeClassColumn } from '@kerf/provider-contract/dashboard'
import { at, fieldsAt, listAt, textAt } from './read.ts'

const isFilled = (text: string): boolean => text !== ''

const firstText = (object: unknown, paths: readonly (readonly string[])[]): string | undefined => {
  for (const path of paths) {
    const text = textAt(object, ...path)
    if (text !== undefined) return text
  }
  return undefined
}

/** Returns one condition in the form of `kubectl --selector`. Shows the name of an operator that this form does not support. */
const conditionText = (condition: unknown): string => {
  const key = textAt(condition, 'key') ?? ''
  const operator = textAt(condition, 'operator') ?? ''
  const values = `(${listAt(condition, 'values').map(String).join(',')})`
  switch (operator) {
    case 'In':
      return `${key} in ${values}`
    case 'NotIn':
      return `${key} notin ${values}`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    default:
      return `${key} ${operator} ${values}`
  }
}

const selectorText = (selector: unknown): string =>
  [
    ...Object.entries(fieldsAt(selector, 'matchLabels')).map(([key, value]) => `${key}=${String(value)}`),
    ...listAt(selector, 'matchExpressions').map(conditionText),
  ].join(', ')

/** Returns the column's text for an object, or an empty string without a value. */
export const columnText = (column: NodeClassColumn, object: unknown): string => {
  const { paths, itemFields, isLabelSelector, isPath } = column
  if (isLabelSelector === true) return paths.map((path) => selectorText(at(object, ...path))).find(isFilled) ?? ''
  const shown = (text: string): string => (isPath === true ? text.slice(text.lastIndexOf('/') + 1) : text)
  const plain = itemFields === undefined ? firstText(object, paths) : undefined
  if (plain !== undefined) return shown(plain)
  const items = paths.map((path) => listAt(object, ...path)).find((list) => list.length > 0) ?? []
  const texts = items.map((item) => {
    if (typeof item === 'string') return item
    return (
      firstText(
        item,
        (itemFields ?? []).map((field) => [field]),
      ) ?? ''
    )
  })
  // The name of a zone with several subnets is shown once.
  return [...new Set(texts.map(shown))].filter(isFilled).join(', ')
}
