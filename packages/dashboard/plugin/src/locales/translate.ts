import { createInstance } from 'i18next'
import en from './en/translation.json'
import uk from './uk/translation.json'
import zh from './zh/translation.json'

type Form = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type StoredKey = keyof typeof en
/** The key of a text with a count. i18next uses `count` to choose one of its forms (`drifts_one`, `drifts_other`). */
export type CountKey = StoredKey extends infer K ? (K extends `${infer Key}_${Form}` ? Key : never) : never
/** The key of a text. */
export type Key = Exclude<StoredKey, `${string}_${Form}`> | CountKey

type Values = Readonly<Record<string, string | number>>
/** Returns the text for a key, with values for its placeholders `{{name}}`. */
export type Translate = <K extends Key>(
  key: K,
  ...values: K extends CountKey ? [values: Values & { readonly count: number }] : [values?: Values]
) => string

const catalogues = { en, uk, zh } as const
export type Language = keyof typeof catalogues

export const isLanguage = (name: string): name is Language => Object.hasOwn(catalogues, name)

// The catalogues are part of the bundle. Headlamp's `useTranslation` is not used, because it returns empty strings
// until a catalogue is loaded, and column titles and sidebar entries would keep the empty strings. It also does not
// support Ukrainian.
const i18n = createInstance()
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  initImmediate: false,
  resources: Object.fromEntries(
    Object.entries(catalogues).map(([language, translation]) => [language, { translation }]),
  ),
  // Keys such as `status.Ready` are flat names, not paths.
  keySeparator: false,
  nsSeparator: false,
  // React already escapes the values.
  interpolation: { escapeValue: false },
})

const translators = new Map<Language, Translate>()

/**
 * Returns the function for texts in one language. Returns the same function each time, so that components may use it
 * as a dependency.
 */
export const translatorFor = (language: Language): Translate => {
  const known = translators.get(language)
  if (known !== undefined) return known
  const fixed = i18n.getFixedT(language)
  // Most texts have no values, and a page asks for hundreds of them on each render.
  const constant = new Map<string, string>()
  const translate: Translate = (key, ...[values]) => {
    if (values !== undefined) return fixed(key, values)
    const text = constant.get(key) ?? fixed(key)
    constant.set(key, text)
    return text
  }
  translators.set(language, translate)
  return translate
}
