import { ownValue, setOwnValue } from '@kerf/apis'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { type Setting, SettingValueError } from './setting.ts'

// `Setting<never>` is not possible here, because code reads values from the table.
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

export type SettingsOf<T extends SettingsTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never
}

export interface ParsedSettings<T extends SettingsTable> {
  readonly settings: SettingsOf<T>
  /** For each value that was ignored, a sentence for the log with the value that is used instead. */
  readonly warnings: readonly string[]
}

/** The flags, by name without dashes. A flag without a value is `true`. */
export type FlagValues = Readonly<Record<string, string | boolean>>

/**
 * Parses a table of settings. A flag overrides the environment, and the environment overrides the default. Throws `InvalidSetting`
 * with all problems at once, each with its flag or variable.
 */
export const parseSettings = <T extends SettingsTable>(
  table: T,
  env: Readonly<Record<string, string | undefined>>,
  flags: FlagValues = {},
): ParsedSettings<T> => {
  const problems: string[] = []
  const warnings: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(table)) {
    setOwnValue(values, key, setting.default)
    const flag = setting.flag === undefined ? undefined : ownValue(flags, setting.flag)
    const variable = setting.env === undefined ? undefined : ownValue(env, setting.env)
    if (flag !== undefined) {
      try {
        setOwnValue(values, key, fromFlag(setting, flag))
      } catch (error) {
        problems.push(`--${setting.flag}: ${errorWords(error)}`)
      }
    } else if (variable !== undefined) {
      try {
        setOwnValue(values, key, setting.parse(variable))
      } catch (error) {
        if (setting.lenientInEnvironment) {
          warnings.push(`${setting.env}: ${errorWords(error)}; using the default ${setting.defaultText}`)
        } else problems.push(`${setting.env}: ${errorWords(error)}`)
      }
    }
  }
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems })
  // Each key has the result of its own setting's `parse`.
  return { settings: values as SettingsOf<T>, warnings }
}

const fromFlag = (setting: Setting<unknown>, value: string | boolean): unknown => {
  if (!setting.isSwitch) return setting.parse(String(value))
  if (value === true || value === 'true') return setting.parse('true')
  if (value === false || value === 'false') return setting.parse('false')
  throw new SettingValueError(`${JSON.stringify(value)} is not true or false`)
}

const errorWords = (error: unknown): string => {
  if (error instanceof SettingValueError) return error.message
  throw error
}

/**
 * Splits a command line into the table's flags and other arguments, by the rules of Go: one dash or two, `--name value` or
 * `--name=value`. A switch takes a value only after `=`. Throws `UnknownFlag` or `InvalidSetting`.
 */
export const readFlags = (
  table: SettingsTable,
  args: readonly string[],
): { readonly flags: FlagValues; readonly rest: readonly string[] } => {
  const byFlag = new Map<string, Setting<unknown>>()
  for (const each of Object.values(table)) if (each.flag !== undefined) byFlag.set(each.flag, each)
  const flags: Record<string, string | boolean> = {}
  for (let index = 0; index < args.length; index++) {
    const match = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(args[index] ?? '')
    if (match === null) {
      const skip = args[index] === '--' ? 1 : 0
      return { flags, rest: args.slice(index + skip) }
    }
    const [, name = '', value] = match
    const setting = byFlag.get(name)
    if (setting === undefined) throw runtimeErrors.UnknownFlag({ flag: `--${name}`, known: [...byFlag.keys()] })
    if (value !== undefined) setOwnValue(flags, name, value)
    else if (setting.isSwitch) setOwnValue(flags, name, true)
    else {
      const next = args[++index]
      if (next === undefined) throw runtimeErrors.InvalidSetting({ problems: [`--${name} needs a value`] })
      setOwnValue(flags, name, next)
    }
  }
  return { flags, rest: [] }
}
