/** A map whose keys come from outside the code: labels, annotations, resources, settings, or any object from JSON. */
type TextMap<T> = Readonly<Record<string, T>>

/**
 * Returns the map's own value for the key, or `undefined`. A plain read (`map[key]`) also finds inherited properties: for
 * `constructor`, which is a valid label key, it returns a function. `npm run check` therefore refuses plain reads with keys that
 * are unknown when the code is written (`tools/own-value-rule.ts`; docs/decisions/0008-keys-from-outside.md).
 */
export const ownValue = <T>(map: TextMap<T> | null | undefined, key: string): T | undefined =>
  map !== undefined && map !== null && Object.hasOwn(map, key) ? map[key] : undefined

/**
 * Sets the map's own value for the key. `__proto__` is a valid key in the data of a ConfigMap. For this key, a plain assignment (`map[key]
 * = value`) would set the prototype and lose the entry.
 */
export const setOwnValue = <T>(map: Record<string, T>, key: string, value: T): void => {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true })
  } else map[key] = value
}

/**
 * Returns the value's own field of this name. Returns `undefined` if the field does not exist, or if the value is not an object. For
 * responses and files of unknown shape.
 */
export const ownField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
