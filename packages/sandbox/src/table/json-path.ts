import { ownValue, plainText } from '@kerf/apis'
import { isObject } from '../store/json.ts'

type Step =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly filter: { readonly key: readonly string[]; readonly equals: string } }

const FILTER = /^\?\(@\.([^=!]+?)\s*==\s*["']([^"']*)["']\)$/

/** Parses a JSONPath such as `.status.conditions[?(@.type=="Ready")].status` into steps. */
const parse = (path: string): Step[] => {
  const steps: Step[] = []
  let i = 0
  while (i < path.length) {
    if (path[i] === '.') {
      i++
      continue
    }
    if (path[i] === '[') {
      const end = closing(path, i)
      const inside = path.slice(i + 1, end)
      const filter = FILTER.exec(inside)
      if (filter !== null) steps.push({ filter: { key: (filter[1] ?? '').split('.'), equals: filter[2] ?? '' } })
      else if (inside === '*') steps.push({ all: true })
      else if (/^-?\d+$/.test(inside)) steps.push({ index: Number(inside) })
      else steps.push({ key: inside.replace(/^["']|["']$/g, '') })
      i = end + 1
      continue
    }
    let key = ''
    for (; i < path.length && path[i] !== '.' && path[i] !== '['; i++) {
      if (path[i] === '\\') i++
      key += path[i] ?? ''
    }
    steps.push({ key })
  }
  return steps
}

const closing = (path: string, from: number): number => {
  let depth = 0
  for (let i = from; i < path.length; i++) {
    if (path[i] === '[') depth++
    else if (path[i] === ']' && --depth === 0) return i
  }
  return path.length
}

const cache = new Map<string, Step[]>()

/** Returns all values at a JSON path. Supports the syntax of printer columns: members, indexes, `[*]` and equality filters. */
export const jsonPath = (object: unknown, path: string): unknown[] => {
  const steps = cache.get(path) ?? parse(path)
  cache.set(path, steps)
  let values: unknown[] = [object]
  for (const step of steps) {
    values = values.flatMap((value): unknown[] => {
      if ('key' in step)
        return isObject(value) && ownValue(value, step.key) !== undefined ? [ownValue(value, step.key)] : []
      if (!Array.isArray(value)) return 'all' in step && isObject(value) ? Object.values(value) : []
      if ('index' in step) return value.at(step.index) === undefined ? [] : [value.at(step.index)]
      if ('all' in step) return value
      return value.filter(
        (item) =>
          plainText(
            step.filter.key.reduce<unknown>((inner, key) => (isObject(inner) ? ownValue(inner, key) : undefined), item),
          ) === step.filter.equals,
      )
    })
  }
  return values
}
