import type { BrowserContext } from 'playwright-core'
import en from '../../../../packages/dashboard/plugin/src/locales/en/translation.json' with { type: 'json' }
import uk from '../../../../packages/dashboard/plugin/src/locales/uk/translation.json' with { type: 'json' }
import zh from '../../../../packages/dashboard/plugin/src/locales/zh/translation.json' with { type: 'json' }

/** A language of the plugin: its code, and the overview's heading in that language. */
export interface Language {
  readonly name: string
  readonly code: string
  readonly overview: string
}

export const languages: readonly Language[] = [
  { name: 'English', code: 'en', overview: en.overview },
  { name: 'Ukrainian', code: 'uk', overview: uk.overview },
  { name: 'Chinese', code: 'zh', overview: zh.overview },
]

/** Sets the language of all pages in a window, as Settings → Plugins does. */
export const speak = (context: BrowserContext, { code }: Language): Promise<unknown> => {
  const settings = JSON.stringify({ '@kerf/headlamp-plugin': { language: code } })
  return context.addInitScript(`localStorage.setItem('pluginConfigs', ${JSON.stringify(settings)})`)
}
