import { setOwnValue } from '@kerf/apis'

/**
 * A set of field paths that a manager owns. The steps of a path have the `fieldsV1` format: `f:name` is a field, `k:{…}` is a list item
 * with these keys, and `v:…` is a value in a set.
 */
export interface FieldSet {
  /** Whether the path that ends here is itself in the set. */
  readonly own: boolean
  readonly children: ReadonlyMap<string, FieldSet>
}

export type FieldPath = readonly string[]

const none: ReadonlyMap<string, FieldSet> = new Map()
export const emptySet: FieldSet = { own: false, children: none }

export const isEmptySet = (set: FieldSet): boolean => !set.own && set.children.size === 0

const make = (own: boolean, children: Map<string, FieldSet>): FieldSet => {
  for (const [key, child] of children) if (isEmptySet(child)) children.delete(key)
  return { own, children }
}

const combine = (a: FieldSet, b: FieldSet, own: (a: boolean, b: boolean) => boolean): FieldSet => {
  const children = new Map<string, FieldSet>()
  for (const key of new Set([...a.children.keys(), ...b.children.keys()])) {
    children.set(key, combine(a.children.get(key) ?? emptySet, b.children.get(key) ?? emptySet, own))
  }
  return make(own(a.own, b.own), children)
}

export const fieldSetUnion = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (x, y) => x || y)
export const fieldSetIntersection = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (x, y) => x && y)
export const fieldSetDifference = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (x, y) => x && !y)

/** Returns the set without the paths in `gone` and without every path below them. */
export const withoutBelow = (set: FieldSet, gone: FieldSet): FieldSet => {
  if (gone.own) return emptySet
  const children = new Map(set.children)
  for (const [key, child] of gone.children) {
    const mine = children.get(key)
    if (mine !== undefined) children.set(key, withoutBelow(mine, child))
  }
  return make(set.own, children)
}

/** A set under construction. */
export class FieldSetBuilder {
  own = false
  readonly children = new Map<string, FieldSetBuilder>()

  child(step: string): FieldSetBuilder {
    const known = this.children.get(step)
    if (known !== undefined) return known
    const made = new FieldSetBuilder()
    this.children.set(step, made)
    return made
  }

  build(): FieldSet {
    return make(this.own, new Map([...this.children].map(([step, child]) => [step, child.build()])))
  }
}

/** Yields all paths. Parents come before children. */
export function* pathsOf(set: FieldSet, at: FieldPath = []): Generator<FieldPath, void, void> {
  if (set.own) yield at
  for (const [step, child] of set.children) yield* pathsOf(child, [...at, step])
}

/** Parses the `fieldsV1` form. */
export const parseFieldSet = (fields: unknown): FieldSet => {
  if (typeof fields !== 'object' || fields === null) return emptySet
  const entries = Object.entries(fields as Record<string, unknown>)
  const children = new Map<string, FieldSet>()
  for (const [step, child] of entries) if (step !== '.') children.set(step, parseFieldSet(child))
  // An empty object is a leaf. If a path is in the set and also has children, its object contains the key `.`.
  return { own: entries.length === 0 || entries.some(([step]) => step === '.'), children }
}

/** Returns the `fieldsV1` form. */
export const formatFieldSet = (set: FieldSet): Record<string, unknown> => {
  const out: Record<string, unknown> = {}
  if (set.own && set.children.size > 0) out['.'] = {}
  for (const step of [...set.children.keys()].toSorted())
    setOwnValue(out, step, formatFieldSet(set.children.get(step) ?? emptySet))
  return out
}

/** Returns a path in the format of messages: `.spec.containers[name="web"].image`. */
export const formatPath = (path: FieldPath): string =>
  path
    .map((step) => {
      const body = step.slice(2)
      if (step.startsWith('f:')) return `.${body}`
      if (step.startsWith('v:')) return `[=${body}]`
      const keys = Object.entries(JSON.parse(body) as Record<string, unknown>)
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
    })
    .join('')
