/** A map whose keys are not known at compile time: labels, annotations, resources, settings, or any object from JSON. */
type TextMap<T> = Readonly<Record<string, T>>

/**
 * Returns the value that the map itself has under the key, or `undefined`. A plain read (`map[key]`) also finds what every object
 * inherits: under `constructor`, a valid label key, a function. `npm run check` therefore refuses a plain read with a key that is
 * not known when the code is written (`tools/own-value-rule.ts`; docs/decisions/0008-keys-from-outside.md).
 */
export const ownValue = <T>(map: TextMap<T> | null | undefined, key: string): T | undefined =>
  map !== undefined && map !== null && Object.hasOwn(map, key) ? map[key] : undefined

/**
 * Sets the map's own value under the key. A plain assignment (`map[key] = value`) loses the entry if the key is `__proto__`, a
 * valid key in the data of a ConfigMap: it sets the prototype.
 */
export const setOwnValue = <T>(map: Record<string, T>, key: string, value: T): void => {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true })
  } else map[key] = value
}

/** Returns the field that a value of any shape has itself; `undefined` if it has none or is not an object. For answers and files. */
export const ownField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
