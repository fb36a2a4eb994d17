import { ownValue, setOwnValue } from '@kerf/apis'
import { UserDataError } from '@kerf/provider-kit'
import type { TomlTable, TomlValue } from 'smol-toml'
import type { BottlerocketShape } from './bottlerocket-keys.ts'

/** The settings that are kept, and the paths of unknown settings. */
interface Conformed<T> {
  readonly value: T
  readonly dropped: readonly string[]
}

const INT64 = 2n ** 63n

export const isTable = (value: TomlValue | undefined): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)

const isText = (value: TomlValue): boolean => typeof value === 'string'
const isTexts = (value: TomlValue): boolean => Array.isArray(value) && value.every(isText)
const isInt64 = (value: bigint): boolean => value < INT64 && value >= -INT64

/** The name and the check of each scalar or list shape. Integers are parsed as bigints. */
const plain: Readonly<
  Record<Extract<BottlerocketShape, string>, { readonly name: string; readonly is: (value: TomlValue) => boolean }>
> = {
  text: { name: 'a text', is: isText },
  whole: { name: 'a whole number', is: (value) => typeof value === 'bigint' && isInt64(value) },
  count: {
    name: 'a non-negative integer',
    is: (value) => typeof value === 'bigint' && value >= 0n && value < 2n ** 32n,
  },
  flag: { name: 'true or false', is: (value) => typeof value === 'boolean' },
  texts: { name: 'a list of strings', is: isTexts },
  textLists: { name: 'a list of lists of strings', is: (value) => Array.isArray(value) && value.every(isTexts) },
}

/**
 * Returns the known settings below a path, at every depth.
 *
 * @throws UserDataError for a known setting with an invalid value. Upstream also rejects it, because the node would not start with it.
 */
export const conformingSettings = (
  table: TomlTable,
  path: string,
  shapeOf: (key: string) => BottlerocketShape | undefined,
): Conformed<TomlTable> => {
  const kept: TomlTable = {}
  const dropped: string[] = []
  for (const [key, value] of Object.entries(table)) {
    const at = `${path}.${key}`
    const shape = shapeOf(key)
    if (shape === undefined) {
      dropped.push(at)
      continue
    }
    const inner = conform(value, shape, at)
    setOwnValue(kept, key, inner.value)
    dropped.push(...inner.dropped)
  }
  return { value: kept, dropped }
}

const conform = (value: TomlValue, shape: BottlerocketShape, path: string): Conformed<TomlValue> => {
  if (typeof shape === 'string') {
    if (plain[shape].is(value)) return { value, dropped: [] }
    const { name } = plain[shape]
    throw new UserDataError('TOML', `${path} is not ${name}`, `write it as ${name}`)
  }
  if (!isTable(value)) throw new UserDataError('TOML', `${path} is not a table`, `write its settings under [${path}]`)
  return conformingSettings(value, path, (key) => ('mapOf' in shape ? shape.mapOf : ownValue(shape.fields, key)))
}

/**
 * Checks every integer, at every depth.
 *
 * @throws UserDataError for an integer that exceeds 64 bits.
 */
export const checkWholeNumbers = (value: TomlValue): void => {
  if (typeof value === 'bigint' && !isInt64(value))
    throw new UserDataError('TOML', `${value} has more than 64 bits`, 'use a smaller number or a string')
  if (Array.isArray(value)) for (const each of value) checkWholeNumbers(each)
  else if (isTable(value)) for (const each of Object.values(value)) checkWholeNumbers(each)
}
