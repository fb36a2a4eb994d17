import { settingsNow } from '../settings/settings.ts'
import { isLanguage, type Language, type Translate, translatorFor } from './translate.ts'

/**
 * Returns the user's language. The plugin has its own setting because Headlamp does not support Ukrainian and stores
 * English instead.
 */
const languageNow = (): Language => {
  const { language } = settingsNow()
  if (language !== 'auto') return language
  const wanted = [localStorage.getItem('i18nextLng') ?? '', ...(navigator.languages ?? [])]
  const first = wanted.map((one) => one.toLowerCase().split('-')[0] ?? '').find((one) => one !== '')
  return first !== undefined && isLanguage(first) ? first : 'en'
}

/** Returns texts in the user's language, for code outside of components. */
export const translatorNow = (): Translate => translatorFor(languageNow())

/**
 * Returns texts in the user's language, for components. Evaluated on each render, so that a change of language appears
 * at once.
 */
export const useT = (): Translate => translatorNow()

/** Returns the user's language, for texts that providers declare in every language. */
export const useLanguage = (): Language => languageNow()
