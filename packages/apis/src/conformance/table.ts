import type { ResourceKind } from '../kubernetes/kinds.ts'
import { ownValue } from '../own-value.ts'
import { isJsonObject, type JsonObject } from '../schema/structural-schema.ts'
import type { ConformanceCase, Expectation } from './case.ts'

/** This file contains helpers that define cases. */

/** Returns the object with the value at this path. `undefined` removes the path. */
const withValue = (object: unknown, path: string, value: unknown): JsonObject => {
  const set = (inner: unknown, keys: readonly string[]): unknown => {
    const [key = '', ...rest] = keys
    const next = (present: unknown): unknown => (rest.length === 0 ? value : set(present, rest))
    if (Array.isArray(inner)) return inner.map((item, index) => (index === Number(key) ? next(item) : item))
    const fields = isJsonObject(inner) ? inner : {}
    const changed = next(ownValue(fields, key))
    if (changed !== undefined) return { ...fields, [key]: changed }
    return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))
  }
  const changed = set(object, path.split('/'))
  return isJsonObject(changed) ? changed : {}
}

/** Returns the object with several paths changed. Slashes separate the keys of a path, because label keys contain dots. */
const withValues = (object: unknown, changes: Readonly<Record<string, unknown>>): JsonObject =>
  Object.entries(changes).reduce<JsonObject>(
    (changed, [path, value]) => withValue(changed, path, value),
    isJsonObject(object) ? object : {},
  )

type Changes = Readonly<Record<string, unknown>>

/** A table of cases about one kind. Every case changes the same valid object. */
export interface Table {
  readonly cases: readonly ConformanceCase[]
  accepts(name: string, changes: Changes, reads?: Readonly<Record<string, unknown>>): void
  refuses(name: string, changes: Changes, ...fields: readonly string[]): void
  /** Adds a case for each of these values at one path. The names of the cases contain the values. */
  acceptsEach(path: string, values: readonly unknown[]): void
  refusesEach(path: string, values: readonly unknown[], ...fields: readonly string[]): void
  update(name: string, before: Changes, after: Changes, expect: Expectation): void
  updateStatus(name: string, before: Changes, after: Changes, expect: Expectation): void
}

/** Returns a value as it is shown in the name of a case. */
const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text
}

export const caseTable = (kind: ResourceKind, base: object): Table => {
  const cases: ConformanceCase[] = []
  const add = (name: string, rest: Omit<ConformanceCase, 'name' | 'kind'>): void => {
    cases.push({ name: `${kind.kind}: ${name}`, kind, ...rest })
  }
  const create = (name: string, changes: Changes, expect: Expectation): void =>
    add(name, { operation: 'create', object: withValues(base, changes), expect })
  const change =
    (operation: 'update' | 'update-status') =>
    (name: string, before: Changes, after: Changes, expect: Expectation): void => {
      const previous = withValues(base, before)
      add(name, { operation, previous, object: withValues(previous, after), expect })
    }
  return {
    cases,
    accepts: (name, changes, reads) =>
      create(name, changes, reads === undefined ? { accepted: true } : { accepted: true, reads }),
    refuses: (name, changes, ...fields) => create(name, changes, { accepted: false, fields }),
    acceptsEach: (path, values) => {
      for (const value of values) create(`${path} may be ${show(value)}`, { [path]: value }, { accepted: true })
    },
    refusesEach: (path, values, ...fields) => {
      for (const value of values)
        create(`${path} may not be ${show(value)}`, { [path]: value }, { accepted: false, fields })
    },
    update: change('update'),
    updateStatus: change('update-status'),
  }
}

export const accepted = (reads?: Readonly<Record<string, unknown>>): Expectation =>
  reads === undefined ? { accepted: true } : { accepted: true, reads }
export const refused = (...fields: readonly string[]): Expectation => ({ accepted: false, fields })

/** Returns a string of this length. */
export const long = (length: number, character = 'a'): string => character.repeat(length)
/** Returns a list of this length. */
export const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))
