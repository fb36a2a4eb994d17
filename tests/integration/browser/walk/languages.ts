import type { BrowserContext } from 'playwright-core'
import en from '../../../../packages/dashboard/plugin/src/locales/en/translation.json' with { type: 'json' }
import uk from '../../../../packages/dashboard/plugin/src/locales/uk/translation.json' with { type: 'json' }
import zh from '../../../../packages/dashboard/plugin/src/locales/zh/translation.json' with { type: 'json' }

/** A language of the plugin: its code, the translated heading of the overview, and the translated note that messages are in English. */
export interface Language {
  readonly name: string
  readonly code: string
  readonly overview: string
  readonly messagesInEnglish: string
}

const languageOf = (
  name: string,
  code: string,
  { overview, messagesInEnglish }: Pick<typeof en, 'overview' | 'messagesInEnglish'>,
): Language => ({
  name,
  code,
  overview,
  messagesInEnglish,
})

export const languages: readonly Language[] = [
  languageOf('English', 'en', en),
  languageOf('Ukrainian', 'uk', uk),
  languageOf('Chinese', 'zh', zh),
]

/** Sets the language of all pages in a window, as Settings → Plugins does. */
export const speak = (context: BrowserContext, { code }: Language): Promise<unknown> => {
  const settings = JSON.stringify({ '@kerf/headlamp-plugin': { language: code } })
  return context.addInitScript(`localStorage.setItem('pluginConfigs', ${JSON.stringify(settings)})`)
}
