import { ownField } from '@kerf/apis'
import { invalidValue } from './google-error.ts'

/** Returns the value at a path such as `labels.team`. Keys of labels contain no dots in Compute Engine. */
const valueAt = (item: unknown, path: string): unknown => path.split('.').reduce<unknown>(ownField, item)

type Test = (item: unknown) => boolean

const quoted = (text: string): string => text.replace(/^"(.*)"$/, '$1')
const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
const wildcard = (text: string): RegExp => new RegExp(`^${escaped(text).replaceAll('*', '.*')}$`)

/** Returns the last part of a URL, because a filter compares names of zones and instance types, not their URLs. */
const textAt = (item: unknown, path: string): string => {
  const value = valueAt(item, path)
  return typeof value === 'string' ? (value.startsWith('https://') ? (value.split('/').at(-1) ?? '') : value) : ''
}

const testOf = (term: string): Test => {
  const [, path = '', operator = '', operand = ''] = /^([\w.-]+)\s*(:|!=|=|\beq\b|\bne\b)\s*(\S+)$/.exec(term) ?? []
  const text = quoted(operand)
  switch (operator) {
    case ':':
      return text === '*'
        ? (item) => valueAt(item, path) !== undefined
        : (item) => wildcard(text).test(textAt(item, path))
    case '=':
      return (item) => wildcard(text).test(textAt(item, path))
    case '!=':
      return (item) => !wildcard(text).test(textAt(item, path))
    // This is the older filter syntax: a regular expression that matches the whole value.
    case 'eq':
      return (item) => new RegExp(`^(?:${text})$`).test(textAt(item, path))
    case 'ne':
      return (item) => !new RegExp(`^(?:${text})$`).test(textAt(item, path))
    default:
      throw invalidValue('filter', term, 'Invalid list filter expression.')
  }
}

/**
 * Parses a list filter into a function that tests an item. A filter consists of terms such as `name = "a"`, `labels.team:*` and `zone eq
 * us-.*`, joined by AND, with or without parentheses (the parameter `filter` of Compute Engine's lists). The fake rejects filters that it
 * does not support.
 */
export const filterTest = (filter: string | null): Test => {
  if (filter === null || filter === '') return () => true
  const bare = filter.trim().replace(/^\((.*)\)$/s, (whole, inner: string) => (inner.includes('(') ? whole : inner))
  const tests = bare.split(/\s+AND\s+/).map((term) =>
    testOf(
      term
        .trim()
        .replace(/^\((.*)\)$/s, '$1')
        .trim(),
    ),
  )
  return (item) => tests.every((test) => test(item))
}
