import { kinds, ownValue, setOwnValue } from '@kerf/apis'
import { convertSettings, FieldReporter, settingsMaps } from '@kerf/apis/legacy'
import {
  type FlagValues,
  isNotFound,
  type KubeClient,
  type Logger,
  may,
  OWN_NAMESPACE,
  type Permission,
  parseSettings,
  type SettingsTable,
  SettingValueError,
} from '@kerf/runtime'
import { legacyTemplates } from '../providers.ts'
import { type RunSettings, runSettings } from './run-settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The permissions to read the old settings. */
export const oldSettingsPermissions: readonly Permission[] = [
  may(['get'], kinds.ConfigMap, 'reading settings of older charts and guides', {
    namespace: OWN_NAMESPACE,
    names: settingsMaps,
    when: 'LegacyApis',
  }),
]

/** The environment and the flags of the process. Both take precedence over the old settings. */
export interface StartInput {
  readonly env: Environment
  readonly flags: FlagValues
}

/** The settings, merged with the old ConfigMaps. */
export interface MergedSettings {
  readonly settings: RunSettings
  /** Default values for fields of node classes, keyed by field. */
  readonly classDefaults: Readonly<Record<string, string>>
}

/** Returns why a value in a ConfigMap is ignored, or undefined if the value is used. */
const objection = (
  table: SettingsTable,
  name: string,
  value: string,
  { env, flags }: StartInput,
): string | undefined => {
  const setting = Object.values(table).find((each) => each.env === name)
  if (setting === undefined) return `unknown setting ${name}`
  const given = ownValue(env, name) ?? ''
  if (setting.flag !== undefined && ownValue(flags, setting.flag) !== undefined) return `--${setting.flag} is given`
  if (given !== '' && given !== value) return `the environment variable ${name} is set`
  try {
    setting.parse(value)
    return undefined
  } catch (error) {
    if (!(error instanceof SettingValueError)) throw error
    return `${error.message}; using the default of ${name}`
  }
}

/**
 * Reads settings from the ConfigMaps of older charts and guides (`docs/spec/older-apis.md#older-settings`). Flags and environment variables
 * take precedence. Logs, for each key, which setting it sets or why it is ignored. A missing ConfigMap is not an error; other errors of the
 * API server are thrown.
 */
export const readOldSettings = async (
  deps: { readonly client: KubeClient; readonly namespace: string; readonly log: Logger },
  input: StartInput,
  signal: AbortSignal,
): Promise<MergedSettings> => {
  const { client, namespace, log } = deps
  const taken: Record<string, string> = {}
  const { settings: providerSettings } = await legacyTemplates()
  const textField = `data.${providerSettings.prefix}`
  let classDefaults: Readonly<Record<string, string>> = {}
  // The chart's ConfigMap comes last, because it takes precedence over the ConfigMap of the guides.
  for (const name of settingsMaps.toReversed()) {
    const found = await client.get(kinds.ConfigMap, { name, namespace }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
    if (found === undefined) continue
    const reporter = new FieldReporter(`ConfigMap/${name}`, { data: found.data ?? {} })
    const old = convertSettings(found.data, providerSettings, reporter)
    classDefaults = { ...classDefaults, ...old.classDefaults }
    for (const { field, fate, to = '', note = '' } of reporter.finish()) {
      // Each field in the provider's text is logged separately, so the text as a whole is logged only if it cannot be parsed.
      if (!field.startsWith('data.') || (field === textField && fate !== 'gone')) continue
      const about = { ConfigMap: { namespace, name }, field }
      const value = ownValue(old.env, to)
      const reason = fate === 'gone' ? note : value === undefined ? undefined : objection(runSettings, to, value, input)
      if (reason !== undefined) {
        log.warn(`ignoring an old setting: ${reason}`, about)
        continue
      }
      if (value !== undefined) setOwnValue(taken, to, value)
      log.info(`using an old setting as ${to}`, about)
    }
  }
  const env = Object.fromEntries(Object.entries(input.env).filter(([, value]) => value !== ''))
  const { settings } = parseSettings(runSettings, { ...taken, ...env }, input.flags)
  return { settings, classDefaults }
}
