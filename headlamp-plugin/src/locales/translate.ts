import { createInstance } from 'i18next'
import en from './en/translation.json'
import uk from './uk/translation.json'
import zh from './zh/translation.json'

type Form = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type StoredKey = keyof typeof en
/** A text that says how many: i18next chooses among its forms (`drifts_one`, `drifts_other`) by `count`. */
export type CountKey = StoredKey extends infer K ? (K extends `${infer Key}_${Form}` ? Key : never) : never
/** The name of a text. */
export type Key = Exclude<StoredKey, `${string}_${Form}`> | CountKey

type Values = Readonly<Record<string, string | number>>
/** The text of a key, with the values that stand in it as `{{name}}`. */
export type Translate = <K extends Key>(
  key: K,
  ...values: K extends CountKey ? [values: Values & { readonly count: number }] : [values?: Values]
) => string

const catalogues = { en, uk, zh } as const
export type Language = keyof typeof catalogues

export const isLanguage = (name: string): name is Language => Object.hasOwn(catalogues, name)

// The catalogues are bundled, and `useTranslation` of Headlamp is not used: it gives empty texts until a catalogue is loaded,
// which titles of columns and sidebar entries would keep, and Headlamp knows no Ukrainian.
const i18n = createInstance()
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  initImmediate: false,
  resources: Object.fromEntries(
    Object.entries(catalogues).map(([language, translation]) => [language, { translation }]),
  ),
  // Keys such as `status.Ready` are names and no paths.
  keySeparator: false,
  nsSeparator: false,
  // React escapes what it shows.
  interpolation: { escapeValue: false },
})

const translators = new Map<Language, Translate>()

/** The texts of one language; the same function each time, so components may depend on it. */
export const translatorFor = (language: Language): Translate => {
  const known = translators.get(language)
  if (known !== undefined) return known
  const fixed = i18n.getFixedT(language)
  const translate: Translate = (key, ...[values = {}]) => fixed(key, values)
  translators.set(language, translate)
  return translate
}
