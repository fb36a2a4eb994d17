import { parse, YAMLParseError } from 'yaml'
import { ownValue, setOwnValue } from '../own-value.ts'
import { plainText } from '../plain-text.ts'
import { type FieldReporter, isRecord, type Json, recordOrEmpty } from './field-reporter.ts'
import type { TemplateSettings } from './legacy-templates.ts'

/** The names of the ConfigMaps that contained the settings: first the one in the chart, then the one in the oldest guides. */
export const settingsMaps: readonly string[] = ['karpenter-global-settings', 'karpenter']

/** The environment variables of the old core settings (`docs/spec/older-apis.md#older-settings`). */
const VARIABLES: Readonly<Record<string, string>> = {
  batchMaxDuration: 'BATCH_MAX_DURATION',
  batchIdleDuration: 'BATCH_IDLE_DURATION',
}
const GONE: Readonly<Record<string, string>> = {
  'featureGates.driftEnabled': 'drift is always on',
}

/** The settings from the old ConfigMaps. */
export interface OldSettings {
  /** The values of the settings, keyed by environment variable. */
  readonly env: Readonly<Record<string, string>>
  /** Default values for fields of node classes, keyed by field. */
  readonly classDefaults: Readonly<Record<string, string>>
}

interface Entry {
  readonly key: string
  readonly field: string
  readonly value: string
}

/** Parses the YAML text under the provider's prefix. Returns the error if the string is invalid. */
const parseInner = (text: unknown): Json | string => {
  try {
    const inner: unknown = parse(plainText(text))
    return isRecord(inner) ? inner : 'it is not YAML with names and values'
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    return `it is not YAML: ${error.message.split('\n')[0]}`
  }
}

/**
 * Returns the settings in a ConfigMap. `karpenter-global-settings` has keys with dots. `karpenter`, from the oldest guides, contains YAML
 * under the provider's prefix.
 */
const entriesOf = (data: Json, prefix: string, reporter: FieldReporter): readonly Entry[] =>
  Object.entries(data).flatMap(([key, text]): readonly Entry[] => {
    if (key !== prefix) return [{ key, field: `data.${key}`, value: plainText(text) }]
    const inner = parseInner(text)
    if (typeof inner === 'string') {
      reporter.record(`data.${prefix}`, 'gone', undefined, inner)
      return []
    }
    reporter.record(`data.${prefix}`, 'renamed', 'settings of the chart')
    return Object.entries(inner).map(([name, value]) => ({
      key: `${prefix}.${name}`,
      field: `data.${prefix}.${name}`,
      value: plainText(value),
    }))
  })

/** Converts the `data` of an old ConfigMap with settings. */
export const convertSettings = (data: unknown, templates: TemplateSettings, reporter: FieldReporter): OldSettings => {
  const env: Record<string, string> = {}
  const classDefaults: Record<string, string> = {}
  reporter.record('metadata', 'gone', undefined, 'settings are environment variables, set by the chart')
  for (const { key, field, value } of entriesOf(recordOrEmpty(data), templates.prefix, reporter)) {
    const name = ownValue(VARIABLES, key) ?? ownValue(templates.variables, key)
    const classDefault = ownValue(templates.classDefaults, key)
    if (name !== undefined) {
      setOwnValue(env, name, value)
      reporter.record(field, 'renamed', name)
    } else if (classDefault !== undefined) {
      setOwnValue(classDefaults, classDefault.field, value)
      reporter.record(field, 'changed', `spec.${classDefault.field}`, classDefault.note)
    } else {
      const note = ownValue(GONE, key) ?? ownValue(templates.gone, key) ?? 'v1 has no such setting'
      reporter.record(field, 'gone', undefined, note)
    }
  }
  return { env, classDefaults }
}
