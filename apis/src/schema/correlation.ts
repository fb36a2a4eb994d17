import { ownValue } from '../own-value.ts'
import { isEqualJson, isJsonList, isJsonObject, type StructuralSchema } from './structural-schema.ts'

/**
 * The old value that a new one is compared with on updates. `undefined` where there is none: what is new, and items of
 * lists that are not maps, since nothing says which old item an item was.
 */
export interface Old {
  readonly value: unknown
}

export const oldField = (old: Old | undefined, key: string): Old | undefined => {
  const value = old?.value
  return isJsonObject(value) && Object.hasOwn(value, key) ? { value: ownValue(value, key) } : undefined
}

/** The item of the old list with the same keys; only for lists of type map. */
export const oldItem = (old: Old | undefined, item: unknown, list: StructuralSchema): Old | undefined => {
  const keys = list['x-kubernetes-list-map-keys']
  if (list['x-kubernetes-list-type'] !== 'map' || keys === undefined) return undefined
  if (!isJsonList(old?.value) || !isJsonObject(item)) return undefined
  const found = old.value.find(
    (candidate) =>
      isJsonObject(candidate) && keys.every((key) => isEqualJson(ownValue(candidate, key), ownValue(item, key))),
  )
  return found === undefined ? undefined : { value: found }
}

/**
 * Whether nothing changed, so that what is wrong with the value was wrong before and is let through ("ratcheting").
 * Lists of type map may be in another order.
 */
export const isUnchanged = (value: unknown, old: Old | undefined, schema: StructuralSchema): boolean => {
  if (old === undefined) return false
  if (isJsonList(value)) {
    if (!isJsonList(old.value) || old.value.length !== value.length) return false
    if (schema['x-kubernetes-list-type'] !== 'map' || schema.items === undefined) return isEqualJson(value, old.value)
    const { items } = schema
    return value.every((item) => isUnchanged(item, oldItem(old, item, schema), items))
  }
  return isEqualJson(value, old.value)
}
