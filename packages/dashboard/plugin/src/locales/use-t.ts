import { pluginLanguage } from '../model/plugin-language.ts'
import { settingsNow } from '../settings/settings.ts'
import { isLanguage, type Language, type Translate, translatorFor } from './translate.ts'

const readLanguage = (): Language => {
  const { language } = settingsNow()
  if (language !== 'auto') return language
  return pluginLanguage(localStorage.getItem('i18nextLng') ?? '', navigator.languages ?? [], isLanguage, 'en')
}

let known: Language | undefined

/**
 * Returns the language in the plugin's own setting. If it is `auto`, returns the language that Headlamp or the browser is set to. Reads the
 * browser's storage once for all texts of a render, because each reading takes time.
 */
export const languageNow = (): Language => {
  if (known === undefined) {
    known = readLanguage()
    queueMicrotask(() => {
      known = undefined
    })
  }
  return known
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
