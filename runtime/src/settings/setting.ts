import { DurationError, formatDuration, parseDuration } from '@kerf/apis'

/** Why a text is no value of a setting, worded to follow the text: `"loud" is none of …`. */
export class SettingValueError extends Error {}

/** One setting: its names, its default, how its text is read, and what it means. */
export interface Setting<T> {
  /** The environment variable; absent for settings that only a flag sets. */
  readonly env?: string
  /** The flag without its dashes; absent for settings that only the environment sets. */
  readonly flag?: string
  readonly default: T
  /** The default as a person would write it. */
  readonly defaultText: string
  /** Throws `SettingValueError`. */
  readonly parse: (text: string) => T
  /** A flag given without a value means true, and takes no value after a space. */
  readonly isSwitch: boolean
  /**
   * Upstream ignores an environment value that it cannot read as a number, boolean or duration, and takes the default.
   * So does Kerf, but it says so. `docs/spec/settings.md#core-settings`.
   */
  readonly lenientInEnvironment: boolean
  readonly meaning: string
  /** Settings that Karpenter has, under its names, or additions of Kerf. */
  readonly origin: 'upstream' | 'kerf'
}

/** What all kinds of settings have in common. `origin` is upstream unless given. */
export interface SettingNames {
  readonly env?: string
  readonly flag?: string
  readonly meaning: string
  readonly origin?: 'upstream' | 'kerf'
}

const GO_TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const GO_FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** A boolean in any of Go's spellings, or `undefined`. */
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

/** A whole number within bounds. */
export const integer = (
  names: SettingNames & { readonly default: number; readonly min?: number; readonly max?: number },
): Setting<number> => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = names
  return setting(names, {
    default: names.default,
    defaultText: String(names.default),
    parse: (value) => {
      if (!/^[+-]?\d+$/.test(value)) throw new SettingValueError(`${quoted(value)} is no whole number`)
      const number = Number(value)
      if (number < min || number > max) throw new SettingValueError(`${number} is not within ${min} and ${max}`)
      return number
    },
    isSwitch: false,
    lenientInEnvironment: true,
  })
}

/** A decimal number within bounds. */
export const decimal = (names: SettingNames & { readonly default: number; readonly min: number }): Setting<number> =>
  setting(names, {
    default: names.default,
    defaultText: String(names.default),
    parse: (value) => {
      if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value))
        throw new SettingValueError(`${quoted(value)} is no number such as 0.05`)
      const number = Number(value)
      if (number < names.min) throw new SettingValueError(`${number} is less than ${names.min}`)
      return number
    },
    isSwitch: false,
    lenientInEnvironment: true,
  })

/** A switch: `--name`, `--name=true`, `--name=false`; Go's other spellings count only in the environment. */
export const flagged = (names: SettingNames & { readonly default: boolean }): Setting<boolean> =>
  setting(names, {
    default: names.default,
    defaultText: String(names.default),
    parse: (value) => {
      const boolean = goBoolean(value)
      if (boolean === undefined) throw new SettingValueError(`${quoted(value)} is neither true nor false`)
      return boolean
    },
    isSwitch: true,
    lenientInEnvironment: true,
  })

/** A duration in Go's form (`1m30s`), in milliseconds. */
export const duration = (names: SettingNames & { readonly default: number }): Setting<number> =>
  setting(names, {
    default: names.default,
    defaultText: formatDuration(names.default),
    parse: (value) => {
      try {
        return parseDuration(value)
      } catch (error) {
        if (!(error instanceof DurationError)) throw error
        throw new SettingValueError(`${quoted(value)} is no duration such as 10s or 1m30s`)
      }
    },
    isSwitch: false,
    lenientInEnvironment: true,
  })

/** One of a few words, as they are written. */
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
      throw new SettingValueError(`${quoted(value)} is none of ${words}`)
    },
    isSwitch: false,
    lenientInEnvironment: false,
  })

/** Words separated by commas. */
export const list = (names: SettingNames & { readonly default: readonly string[] }): Setting<readonly string[]> =>
  setting(names, {
    default: names.default,
    defaultText: names.default.join(','),
    parse: (value) => value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])),
    isSwitch: false,
    lenientInEnvironment: false,
  })

/** A value with a reader of its own, which throws `SettingValueError`. */
export const parsed = <T>(
  names: SettingNames & { readonly default: T; readonly defaultText: string; readonly parse: (text: string) => T },
): Setting<T> => setting(names, { ...names, isSwitch: false, lenientInEnvironment: false })
