import { ownValue } from '../own-value.ts'
import { isEqualJson, isJsonList, isJsonObject, type StructuralSchema } from './structural-schema.ts'

/**
 * The old value that corresponds to a new value in an update. It is `undefined` for new values. It is also `undefined` for items of a list
 * whose list type is not `map`, because these items cannot be matched.
 */
export interface Old {
  readonly value: unknown
}

export const oldField = (old: Old | undefined, key: string): Old | undefined => {
  const value = old?.value
  return isJsonObject(value) && Object.hasOwn(value, key) ? { value: ownValue(value, key) } : undefined
}

/** Returns the item of the old list that has the same keys. Only for lists with the list type `map`. */
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
 * Returns whether the value is unchanged. Errors in an unchanged value are ignored ("ratcheting"). Lists with the list type `map` may be in
 * another order.
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
