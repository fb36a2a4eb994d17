/** A Go struct: its fields, and their YAML names. */
export class GoStruct {
  readonly fields: ReadonlyMap<string, GoValue>
  /** The YAML names of fields that are omitted if they are zero. The YAML name of any other field is its name in lower case. */
  readonly yamlNames: Readonly<Record<string, string>>

  constructor(fields: Readonly<Record<string, GoValue>>, yamlNames: Readonly<Record<string, string>> = {}) {
    this.fields = new Map(Object.entries(fields))
    this.yamlNames = yamlNames
  }
}

/** The result of reading a missing key of a map. */
export const NO_VALUE: unique symbol = Symbol('no value')

/** A value in a template. `undefined` is Go's nil. A Map is a Go map with string keys. */
export type GoValue =
  | string
  | number
  | boolean
  | undefined
  | typeof NO_VALUE
  | readonly GoValue[]
  | ReadonlyMap<string, GoValue>
  | GoStruct

export const isGoMap = (value: GoValue): value is ReadonlyMap<string, GoValue> => value instanceof Map
export const isGoList = (value: GoValue): value is readonly GoValue[] => Array.isArray(value)

/** Returns the keys of a map in the order in which Go templates visit them. */
export const sortedKeys = (map: ReadonlyMap<string, GoValue>): readonly string[] =>
  [...map.keys()].toSorted((a, b) => (a < b ? -1 : 1))

/** Returns the truth of a value for `if` and `with`: false for zero, nil, and empty strings, lists and maps. */
export const isTrue = (value: GoValue): boolean => {
  if (isGoList(value)) return value.length > 0
  if (isGoMap(value)) return value.size > 0
  return value instanceof GoStruct || (value !== NO_VALUE && Boolean(value))
}

/** Returns true for the zero value of a type. Unlike in `isTrue`, and like in Go, an empty list or map is not zero. */
export const isZero = (value: GoValue): boolean => {
  if (value instanceof GoStruct) return [...value.fields.values()].every(isZero)
  return value === NO_VALUE || value === undefined || value === '' || value === 0 || value === false
}

/** Returns the kind of a value, for messages. */
export const kindName = (value: GoValue): string => {
  if (value === undefined || value === NO_VALUE) return 'nil'
  if (isGoList(value)) return 'list'
  if (isGoMap(value)) return 'map'
  if (value instanceof GoStruct) return 'struct'
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'bool'
}

/** Formats a value like Go's verb `%v`. */
export const printed = (value: GoValue): string => {
  if (value === undefined) return '<nil>'
  if (value === NO_VALUE) return '<no value>'
  if (isGoList(value)) return `[${value.map(printed).join(' ')}]`
  if (isGoMap(value))
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${printed(value.get(key))}`)
      .join(' ')}]`
  if (value instanceof GoStruct) return `{${[...value.fields.values()].map(printed).join(' ')}}`
  return String(value)
}
