import { settingsNow } from '../settings/settings.ts'
import { en, type Word, type Words } from './en.ts'
import { uk } from './uk.ts'
import { zh } from './zh.ts'

export type Say = (word: Word, values?: Readonly<Record<string, string | number>>) => string

const languages: Readonly<Record<string, Words>> = { en, uk, zh }

/** Headlamp has no Ukrainian and notes English for it, so the plugin has a setting of its own. */
const languageNow = (): string => {
  const { language } = settingsNow()
  if (language !== 'auto') return language
  const wanted = [localStorage.getItem('i18nextLng') ?? '', ...(navigator.languages ?? [])]
  const first = wanted.map((one) => one.toLowerCase().split('-')[0] ?? '').find((one) => one !== '')
  return first !== undefined && first in languages ? first : 'en'
}

const says = new Map<string, Say>()

/** Texts in the user's language. Plain tables instead of the host's translations: those are empty until they are loaded. */
export const sayNow = (): Say => {
  const language = languageNow()
  const known = says.get(language)
  if (known !== undefined) return known
  const words = languages[language] ?? en
  const say: Say = (word, values = {}) =>
    words[word].replaceAll(/\{(\w+)\}/g, (whole, key: string) => (key in values ? String(values[key]) : whole))
  says.set(language, say)
  return say
}

/** The same, for components: evaluated at each drawing, so a change of language shows at once. */
export const useWords = (): Say => sayNow()
