import { ConfigStore } from '@kinvolk/headlamp-plugin/lib'
import { type Range, ranges, type Resolution, resolutions } from '../model/charts.ts'
import { at } from '../model/read.ts'

/** The user's settings, stored in the browser. */
export interface Settings {
  /** `namespace/service:port` of Prometheus. If it is empty, Prometheus is discovered. */
  readonly prometheus: string
  /** The path prefix of Prometheus, if it is not at the root. */
  readonly prometheusPath: string
  /** `namespace/service:port` of the controller's metrics. If it is empty, the controller is discovered. */
  readonly controller: string
  readonly poolRange: Range
  readonly claimRange: Range
  readonly resolution: Resolution
  /** Seconds between two readings. */
  readonly every: number
  /** The language of the plugin's texts. `auto` follows Headlamp and the browser. */
  readonly language: LanguageChoice
}

export const languages = ['auto', 'en', 'uk', 'zh'] as const
export type LanguageChoice = (typeof languages)[number]

/**
 * This must be the name in package.json, because Headlamp stores the settings of each plugin under its package name.
 */
export const PLUGIN_NAME = '@kerf/headlamp-plugin'
const store = new ConfigStore<Partial<Settings>>(PLUGIN_NAME)
const useStored = store.useConfig()

const oneOf = <T extends string>(value: unknown, allowed: readonly T[], otherwise: T): T =>
  allowed.find((each) => each === value) ?? otherwise

/** Returns valid settings for any stored value. Another version of the plugin may have written it. */
export const readSettings = (stored: unknown): Settings => {
  const every = Number(at(stored, 'every'))
  const text = (name: string): string => (typeof at(stored, name) === 'string' ? String(at(stored, name)) : '')
  return {
    prometheus: text('prometheus'),
    prometheusPath: text('prometheusPath'),
    controller: text('controller'),
    poolRange: oneOf(at(stored, 'poolRange'), ranges, '24h'),
    claimRange: oneOf(at(stored, 'claimRange'), ranges, '1h'),
    resolution: oneOf(at(stored, 'resolution'), resolutions, 'medium'),
    language: oneOf(at(stored, 'language'), languages, 'auto'),
    every: Number.isFinite(every) && every >= 5 ? Math.min(every, 600) : 10,
  }
}

export const useSettings = (): Settings => readSettings(useStored())

/** Returns the settings, for code outside components. */
export const settingsNow = (): Settings => readSettings(store.get())

export const changeSettings = (change: Partial<Settings>): void => store.update(change)
