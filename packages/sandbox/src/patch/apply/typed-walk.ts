import { ownValue, setOwnValue } from '@kerf/apis'
import type { FieldSchema, TypeSchema } from '../../schema/type-schema.ts'
import { equal, isObject, type JsonObject, type JsonValue } from '../../store/json.ts'
import { type FieldSet, FieldSetBuilder } from './field-set.ts'

/** How a field's value is merged. */
export type Shape =
  | { readonly kind: 'atomic' }
  /** A structure or a map. `fieldOf` returns `undefined` if the keys are data, as in labels. */
  | { readonly kind: 'map'; fieldOf(key: string): FieldSchema | undefined; readonly values: FieldSchema | undefined }
  | { readonly kind: 'keyed'; readonly items: FieldSchema; readonly keys: readonly string[] }
  | { readonly kind: 'set' }

const atomic: Shape = { kind: 'atomic' }

const shapeOfType = (type: TypeSchema): Shape =>
  type.atomic ? atomic : { kind: 'map', fieldOf: (key) => type.fields.get(key), values: undefined }

const shapeOf = (field: FieldSchema | undefined, value: JsonValue): Shape => {
  if (field === undefined || field.map === 'atomic')
    return isObject(value) && field === undefined
      ? { kind: 'map', fieldOf: () => undefined, values: undefined }
      : atomic
  if (field.object !== undefined) return isObject(value) ? shapeOfType(field.object()) : atomic
  if (field.type === 'map' || field.type === 'any')
    return isObject(value) ? { kind: 'map', fieldOf: () => undefined, values: field.values } : atomic
  if (field.type === 'array' && Array.isArray(value)) {
    if (field.list === 'map' && field.keys !== undefined && field.items !== undefined)
      return { kind: 'keyed', items: field.items, keys: field.keys }
    if (field.list === 'set') return { kind: 'set' }
  }
  return atomic
}

/** Returns the path step for an item of a keyed list. A missing key gets its default value. */
const stepOf = (item: JsonValue, items: FieldSchema, keys: readonly string[]): string => {
  const named: Record<string, unknown> = {}
  for (const key of keys.toSorted()) {
    const value = isObject(item) ? (ownValue(item, key) ?? items.object?.().fields.get(key)?.default) : undefined
    if (value !== undefined) setOwnValue(named, key, value)
  }
  return `k:${JSON.stringify(named)}`
}

/** Returns all paths that an object sets. */
export const collectFieldSet = (object: JsonObject, type: TypeSchema): FieldSet => {
  const builder = new FieldSetBuilder()
  collect(object, shapeOfType(type), builder)
  return builder.build()
}

const collect = (value: JsonValue, shape: Shape, into: FieldSetBuilder): void => {
  if (shape.kind === 'map' && isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue
      const field = shape.fieldOf(key)
      const child = into.child(`f:${key}`)
      collect(member, shapeOf(field ?? shape.values, member), child)
      if ((isObject(member) && Object.keys(member).length === 0) || field === undefined) child.own = true
    }
  } else if (shape.kind === 'keyed' && Array.isArray(value)) {
    for (const item of value) {
      const child = into.child(stepOf(item, shape.items, shape.keys))
      collect(item, shapeOf(shape.items, item), child)
      child.own = true
    }
  } else if (shape.kind === 'set' && Array.isArray(value)) {
    for (const item of value) into.child(`v:${JSON.stringify(item)}`).own = true
  } else into.own = true
}

/** The difference between two versions of an object. */
export interface Difference {
  /** Added and changed paths. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

export const differenceBetween = (before: JsonObject, after: JsonObject, type: TypeSchema): Difference => {
  const changed = new FieldSetBuilder()
  const removed = new FieldSetBuilder()
  compare(before, after, shapeOfType(type), changed, removed)
  return { changed: changed.build(), removed: removed.build() }
}

const compare = (
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  shape: Shape,
  changed: FieldSetBuilder,
  removed: FieldSetBuilder,
): void => {
  if (before === after) return
  if (after === undefined) {
    if (before === undefined) return
    removed.own = true
    collect(before, shape, removed)
    return
  }
  if (before === undefined) {
    collect(after, shape, changed)
    return
  }
  if (shape.kind === 'map' && isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const was = ownValue(before, key)
      const is = ownValue(after, key)
      if (was === is) continue
      const field = shape.fieldOf(key)
      const step = `f:${key}`
      compare(was, is, shapeOf(field ?? shape.values, is ?? was ?? null), changed.child(step), removed.child(step))
      if (field === undefined && was === undefined) changed.child(step).own = true
    }
  } else if (shape.kind === 'keyed' && Array.isArray(before) && Array.isArray(after)) {
    const old = new Map(before.map((item) => [stepOf(item, shape.items, shape.keys), item]))
    const now = new Map(after.map((item) => [stepOf(item, shape.items, shape.keys), item]))
    for (const step of new Set([...old.keys(), ...now.keys()])) {
      const was = old.get(step)
      const is = now.get(step)
      compare(was, is, shapeOf(shape.items, is ?? was ?? null), changed.child(step), removed.child(step))
      if (was === undefined) changed.child(step).own = true
    }
  } else if (shape.kind === 'set' && Array.isArray(before) && Array.isArray(after)) {
    for (const item of after)
      if (!before.some((one) => equal(one, item))) changed.child(`v:${JSON.stringify(item)}`).own = true
    for (const item of before)
      if (!after.some((one) => equal(one, item))) removed.child(`v:${JSON.stringify(item)}`).own = true
  } else if (!equal(before, after)) changed.own = true
}

/** Returns `config` merged over `live`. Structures and keyed lists are merged. All other values are replaced. */
export const mergeTyped = (live: JsonObject, config: JsonObject, type: TypeSchema): JsonObject =>
  merge(live, config, shapeOfType(type)) as JsonObject

const merge = (live: JsonValue | undefined, config: JsonValue, shape: Shape): JsonValue => {
  if (live === undefined) return config
  if (shape.kind === 'map' && isObject(live) && isObject(config)) {
    const out: JsonObject = { ...live }
    for (const [key, member] of Object.entries(config)) {
      if (member !== undefined)
        setOwnValue(out, key, merge(ownValue(live, key), member, shapeOf(shape.fieldOf(key) ?? shape.values, member)))
    }
    return out
  }
  if (shape.kind === 'keyed' && Array.isArray(live) && Array.isArray(config)) {
    const wanted = new Map(config.map((item) => [stepOf(item, shape.items, shape.keys), item]))
    const kept = live.map((item) => {
      const step = stepOf(item, shape.items, shape.keys)
      const mine = wanted.get(step)
      wanted.delete(step)
      return mine === undefined ? item : merge(item, mine, shapeOf(shape.items, mine))
    })
    return [...kept, ...wanted.values()]
  }
  if (shape.kind === 'set' && Array.isArray(live) && Array.isArray(config))
    return [...live, ...config.filter((item) => !live.some((one) => equal(one, item)))]
  return config
}

/** Removes the paths in `gone` from `value`. Also removes structures that become empty. */
export const removePaths = (value: JsonObject, gone: FieldSet, type: TypeSchema): JsonObject =>
  (without(value, gone, shapeOfType(type)) ?? {}) as JsonObject

const without = (value: JsonValue, gone: FieldSet, shape: Shape): JsonValue | undefined => {
  if (gone.children.size === 0) return gone.own ? undefined : value
  if (shape.kind === 'map' && isObject(value)) {
    const out: JsonObject = { ...value }
    for (const [step, child] of gone.children) {
      const key = step.slice(2)
      const member = ownValue(out, key)
      if (member === undefined || !step.startsWith('f:')) continue
      const left = without(member, child, shapeOf(shape.fieldOf(key) ?? shape.values, member))
      if (left === undefined) delete out[key]
      else setOwnValue(out, key, left)
    }
    return Object.keys(out).length === 0 && Object.keys(value).length > 0 ? undefined : out
  }
  if (shape.kind === 'keyed' && Array.isArray(value)) {
    const out = value.flatMap((item) => {
      const child = gone.children.get(stepOf(item, shape.items, shape.keys))
      if (child === undefined) return [item]
      // If no manager owns an item any longer, the whole item is removed, including its defaulted fields.
      if (child.own) return []
      const left = without(item, child, shapeOf(shape.items, item))
      return left === undefined ? [] : [left]
    })
    return out.length === 0 ? undefined : out
  }
  if (shape.kind === 'set' && Array.isArray(value)) {
    const out = value.filter((item) => gone.children.get(`v:${JSON.stringify(item)}`)?.own !== true)
    return out.length === 0 ? undefined : out
  }
  return value
}
