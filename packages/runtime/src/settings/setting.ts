import { DurationError, formatDuration, parseDuration } from '@kerf/apis'

/**
 * Explains why a string is not a valid value of a setting. The message is worded so that it can follow the string: `"loud" is not one of
 * …`.
 */
export class SettingValueError extends Error {}

/** One setting: its names, its default, its parser, and its meaning. */
export interface Setting<T> {
  /** The environment variable; absent for settings that only a flag sets. */
  readonly env?: string
  /** The flag without its dashes; absent for settings that only the environment sets. */
  readonly flag?: string
  readonly default: T
  /** The default as a user would write it. */
  readonly defaultText: string
  /** Parses a value. Throws `SettingValueError`. */
  readonly parse: (text: string) => T
  /** Whether the flag without a value means true. Such a flag takes no value after a space. */
  readonly isSwitch: boolean
  /**
   * Whether Kerf ignores an environment value that it cannot parse. Upstream does this for numbers, booleans and durations, and uses the
   * default. Kerf does the same and logs a warning (`docs/spec/settings.md#core-settings`).
   */
  readonly lenientInEnvironment: boolean
  readonly meaning: string
  /** Whether the setting exists in Karpenter under the same name, or is an addition of Kerf. */
  readonly origin: 'upstream' | 'kerf'
}

/** The fields that all kinds of settings have. The default of `origin` is `upstream`. */
export interface SettingNames {
  readonly env?: string
  readonly flag?: string
  readonly meaning: string
  readonly origin?: 'upstream' | 'kerf'
}

const GO_TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const GO_FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** Parses a boolean in any of the spellings that Go accepts. Returns `undefined` for other strings. */
export const goBoolean = (text: string): boolean | undefined =>
  GO_TRUE.has(text) ? true : GO_FALSE.has(text) ? false : undefined

const quoted = (text: string): string => JSON.stringify(text)

const setting = <T>(names: SettingNames, rest: Omit<Setting<T>, keyof SettingNames>): Setting<T> => ({
  ...names,
  ...rest,
  origin: names.origin ?? 'upstream',
})

export const text = (names: SettingNames & { readonly default: string }): Setting<string> =>
  setting(names, {
    default: names.default,
    defaultText: names.default,
    parse: (value) => value,
    isSwitch: false,
    lenientInEnvironment: false,
  })

/** Defines a setting that is an integer within limits. */
export const integer = (
  names: SettingNames & { readonly default: number; readonly min?: number; readonly max?: number },
): Setting<number> => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = names
  return setting(names, {
    default: names.default,
    defaultText: String(names.default),
    parse: (value) => {
      if (!/^[+-]?\d+$/.test(value)) throw new SettingValueError(`${quoted(value)} is not an integer`)
      const number = Number(value)
      if (number < min || number > max) throw new SettingValueError(`${number} is not between ${min} and ${max}`)
      return number
    },
    isSwitch: false,
    lenientInEnvironment: true,
  })
}

/** Defines a setting that is a decimal number with a minimum. */
export const decimal = (names: SettingNames & { readonly default: number; readonly min: number }): Setting<number> =>
  setting(names, {
    default: names.default,
    defaultText: String(names.default),
    parse: (value) => {
      if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value))
        throw new SettingValueError(`${quoted(value)} is not a number, for example 0.05`)
      const number = Number(value)
      if (number < names.min) throw new SettingValueError(`${number} is less than ${names.min}`)
      return number
    },
    isSwitch: false,
    lenientInEnvironment: true,
  })

/** Defines a percentage with its sign, such as `0.5%`. The value is a fraction: 0.005. */
export const percentage = (names: SettingNames & { readonly default: string }): Setting<number> =>
  setting(names, {
    default: parsePercentage(names.default),
    defaultText: names.default,
    parse: parsePercentage,
    isSwitch: false,
    lenientInEnvironment: true,
  })

const parsePercentage = (value: string): number => {
  const number = Number(/^(\d+(?:\.\d+)?)%$/.exec(value)?.[1] ?? Number.NaN)
  if (!(number <= 100))
    throw new SettingValueError(`${quoted(value)} is not a percentage from 0% to 100%, for example 0.5%`)
  return number / 100
}

/** Defines a switch: `--name`, `--name=true`, `--name=false`. Go's other spellings are accepted only in the environment. */
export const flagged = (names: SettingNames & { readonly default: boolean }): Setting<boolean> =>
  setting(names, {
    default: names.default,
    defaultText: String(names.default),
    parse: (value) => {
      const boolean = goBoolean(value)
      if (boolean === undefined) throw new SettingValueError(`${quoted(value)} is not true or false`)
      return boolean
    },
    isSwitch: true,
    lenientInEnvironment: true,
  })

/** Defines a setting that is a duration in Go's format (`1m30s`). Its value is in milliseconds. */
export const duration = (names: SettingNames & { readonly default: number }): Setting<number> =>
  setting(names, {
    default: names.default,
    defaultText: formatDuration(names.default),
    parse: (value) => {
      try {
        return parseDuration(value)
      } catch (error) {
        if (!(error instanceof DurationError)) throw error
        throw new SettingValueError(`${quoted(value)} is not a duration, for example 10s or 1m30s`)
      }
    },
    isSwitch: false,
    lenientInEnvironment: true,
  })

/** Defines a setting that is one of these words, which must match exactly. */
export const choice = <const T extends string>(
  names: SettingNames & { readonly default: NoInfer<T>; readonly of: readonly T[] },
): Setting<T> =>
  setting(names, {
    default: names.default,
    defaultText: names.default,
    parse: (value) => {
      const known = names.of.find((each) => each === value)
      if (known !== undefined) return known
      const words = names.of.map((each) => (each === '' ? '""' : each)).join(', ')
      throw new SettingValueError(`${quoted(value)} is not one of ${words}`)
    },
    isSwitch: false,
    lenientInEnvironment: false,
  })

/** Defines a setting that is a list of words separated by commas. */
export const list = (names: SettingNames & { readonly default: readonly string[] }): Setting<readonly string[]> =>
  setting(names, {
    default: names.default,
    defaultText: names.default.join(','),
    parse: (value) => value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])),
    isSwitch: false,
    lenientInEnvironment: false,
  })

/** Defines a setting with its own parser, which throws `SettingValueError`. */
export const parsed = <T>(
  names: SettingNames & { readonly default: T; readonly defaultText: string; readonly parse: (text: string) => T },
): Setting<T> => setting(names, { ...names, isSwitch: false, lenientInEnvironment: false })
