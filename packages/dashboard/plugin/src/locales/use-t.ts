import { settingsNow } from '../settings/settings.ts'
import { isLanguage, type Language, type Translate, translatorFor } from './translate.ts'

/**
 * Returns the user's language from the plugin's own setting. Headlamp's setting is not enough: Headlamp does not
 * support Ukrainian and stores English instead.
 */
const languageNow = (): Language => {
  const { language } = settingsNow()
  if (language !== 'auto') return language
  const wanted = [localStorage.getItem('i18nextLng') ?? '', ...(navigator.languages ?? [])]
  const first = wanted.map((one) => one.toLowerCase().split('-')[0] ?? '').find((one) => one !== '')
  return first !== undefined && isLanguage(first) ? first : 'en'
}

/** Returns the function for texts in the user's language, for code outside components. */
export const translatorNow = (): Translate => translatorFor(languageNow())

/**
 * Returns the function for texts in the user's language, for components. Reads the language on each render, so that a
 * change appears at once.
 */
export const useT = (): Translate => translatorNow()

/** Returns the user's language, for texts that providers supply in every language. */
export const useLanguage = (): Language => languageNow()
