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

/**
 * Returns one condition in the format of `kubectl --selector`. If the format has no notation for the operator, the
 * operator's name is shown.
 */
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

/** Returns the text of a column for an object. Empty if the object has no value. */
export const columnText = (column: NodeClassColumn, object: unknown): string => {
  const { paths, itemFields, isLabelSelector, isPath } = column
  if (isLabelSelector === true) return paths.map((path) => selectorText(at(object, ...path))).find(isFilled) ?? ''
  const shown = (text: string): string => (isPath === true ? text.slice(text.lastIndexOf('/') + 1) : text)
  const found = paths.find((path) => textAt(object, ...path) !== undefined || listAt(object, ...path).length > 0) ?? []
  const plain = textAt(object, ...found)
  if (plain !== undefined) return shown(plain)
  const items = listAt(object, ...found)
  const texts = items.map((item) => {
    if (typeof item === 'string') return item
    return (
      firstText(
        item,
        (itemFields ?? []).map((field) => [field]),
      ) ?? ''
    )
  })
  // A zone that has several subnets is shown once.
  return [...new Set(texts.map(shown))].filter(isFilled).join(', ')
}
