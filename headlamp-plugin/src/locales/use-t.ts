import { settingsNow } from '../settings/settings.ts'
import { isLanguage, type Language, type Translate, translatorFor } from './translate.ts'

/** Headlamp does not support Ukrainian and stores English instead, so the plugin has its own setting. */
const languageNow = (): Language => {
  const { language } = settingsNow()
  if (language !== 'auto') return language
  const wanted = [localStorage.getItem('i18nextLng') ?? '', ...(navigator.languages ?? [])]
  const first = wanted.map((one) => one.toLowerCase().split('-')[0] ?? '').find((one) => one !== '')
  return first !== undefined && isLanguage(first) ? first : 'en'
}

/** Texts in the user's language, for code outside of components. */
export const translatorNow = (): Translate => translatorFor(languageNow())

/** The same, for components: evaluated at each drawing, so a change of language shows at once. */
export const useT = (): Translate => translatorNow()
