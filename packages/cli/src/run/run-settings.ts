import { coreSettings, type SettingsOf, setting } from '@kerf/runtime'
import { defaultProvider, providerNames, providers } from '../providers.ts'

/** Converts the type `A | B` into `A & B`. */
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type ProviderSettings = Intersection<ReturnType<(typeof providers)[number]['settings']>>

// The settings of all providers in one table. A test of the descriptors checks that no two providers use the same key.
const providerSettings: ProviderSettings = Object.assign({}, ...providers.map(({ settings }) => settings()))

/** Every setting of `kerf run`, keyed by its name in the code. */
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
