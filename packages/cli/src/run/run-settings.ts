import { coreSettings, type SettingsOf, setting } from '@kerf/runtime'
import { defaultProvider, providerNames, providers } from '../providers.ts'

/**
 * Converts `A | B` into `A & B`.
 */
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type ProviderSettings = Intersection<ReturnType<(typeof providers)[number]['settings']>>

// The settings of all providers in one table. Their keys differ; the test of the descriptors checks it.
const providerSettings: ProviderSettings = Object.assign({}, ...providers.map(({ settings }) => settings()))

/** Every setting of `kerf run`, by its name in the code. */
export const runSettings = {
  ...coreSettings,
  provider: setting.choice({
    env: 'KERF_PROVIDER',
    flag: 'provider',
    default: defaultProvider,
    of: providerNames,
    origin: 'kerf',
    meaning: 'The cloud in which Kerf launches instances. `kwok` simulates one.',
  }),
  ...providerSettings,
}

export type RunSettings = SettingsOf<typeof runSettings>
