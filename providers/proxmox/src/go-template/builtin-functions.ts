import { ownValue } from '@kerf/apis'
import type { TemplateFunction } from './function-table.ts'
import { type GoValue, isGoList, isGoMap, isTrue, kindName, NO_VALUE, printed } from './go-value.ts'
import { sprintf } from './sprintf.ts'
import { FunctionProblem } from './template-error.ts'

const isNothing = (value: GoValue): boolean => value === undefined || value === NO_VALUE

/** @throws FunctionProblem if the values cannot be compared */
const isEqual = (a: GoValue, b: GoValue): boolean => {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (typeof a === 'object' || typeof b === 'object') throw new FunctionProblem('lists, maps and structs have no order')
  if (typeof a !== typeof b) throw new FunctionProblem(`cannot compare a ${kindName(a)} with a ${kindName(b)}`)
  return a === b
}

const isLess = (a: GoValue, b: GoValue): boolean => {
  if (typeof a === 'string' && typeof b === 'string') return a < b
  if (typeof a === 'number' && typeof b === 'number') return a < b
  throw new FunctionProblem(`cannot compare a ${kindName(a)} with a ${kindName(b)}`)
}

const element = (value: GoValue, key: GoValue): GoValue => {
  if (isGoMap(value) && typeof key === 'string') return value.get(key) ?? ''
  const list = typeof value === 'string' ? [...Buffer.from(value)] : value
  if (!isGoList(list) || typeof key !== 'number')
    throw new FunctionProblem(`cannot index a ${kindName(value)} with a ${kindName(key)}`)
  if (key < 0 || key >= list.length) throw new FunctionProblem(`index ${key} is out of range`)
  return list[key]
}

const length = (value: GoValue): number => {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (isGoList(value)) return value.length
  if (isGoMap(value)) return value.size
  throw new FunctionProblem(`a ${kindName(value)} has no length`)
}

const sliced = (value: GoValue, ...bounds: readonly number[]): GoValue => {
  const [from = 0, to = length(value)] = bounds
  if (from < 0 || to > length(value) || from > to) throw new FunctionProblem(`slice ${from}:${to} is out of range`)
  if (typeof value === 'string') return Buffer.from(value).subarray(from, to).toString()
  if (isGoList(value)) return value.slice(from, to)
  throw new FunctionProblem(`cannot slice a ${kindName(value)}`)
}

/** Joins values like Go: a space separates two values if neither is a string. */
const joined = (values: readonly GoValue[]): string =>
  values
    .map((value, index) => {
      const before = values[index - 1]
      const isSpaced = index > 0 && typeof value !== 'string' && typeof before !== 'string'
      return `${isSpaced ? ' ' : ''}${printed(value)}`
    })
    .join('')

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

/** Go's built-in template functions. `and` and `or` are missing because they are lazy. Kerf does not support `call` and `js`. */
export const builtinFunctions: Readonly<Record<string, TemplateFunction>> = {
  eq: {
    kinds: ['any', 'any'],
    more: 'any',
    run: (first: GoValue, ...others: readonly GoValue[]) => others.some((other) => isEqual(first, other)),
  },
  ne: { kinds: ['any', 'any'], run: (a: GoValue, b: GoValue) => !isEqual(a, b) },
  lt: { kinds: ['any', 'any'], run: isLess },
  le: { kinds: ['any', 'any'], run: (a: GoValue, b: GoValue) => isLess(a, b) || isEqual(a, b) },
  gt: { kinds: ['any', 'any'], run: (a: GoValue, b: GoValue) => !isLess(a, b) && !isEqual(a, b) },
  ge: { kinds: ['any', 'any'], run: (a: GoValue, b: GoValue) => !isLess(a, b) },
  not: { kinds: ['any'], run: (value: GoValue) => !isTrue(value) },
  len: { kinds: ['any'], run: length },
  index: {
    kinds: ['any'],
    more: 'any',
    run: (value: GoValue, ...keys: readonly GoValue[]) => keys.reduce(element, value),
  },
  slice: { kinds: ['any'], more: 'whole', run: sliced },
  print: { kinds: [], more: 'any', run: (...values: readonly GoValue[]) => joined(values) },
  println: { kinds: [], more: 'any', run: (...values: readonly GoValue[]) => `${values.map(printed).join(' ')}\n` },
  printf: {
    kinds: ['text'],
    more: 'any',
    run: (format: string, ...values: readonly GoValue[]) => sprintf(format, values),
  },
  html: {
    kinds: [],
    more: 'any',
    run: (...values: readonly GoValue[]) =>
      joined(values).replaceAll(/[&<>"']/g, (each) => ownValue(HTML, each) ?? each),
  },
  urlquery: {
    kinds: [],
    more: 'any',
    run: (...values: readonly GoValue[]) =>
      encodeURIComponent(joined(values))
        .replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
        .replaceAll('%20', '+'),
  },
}
