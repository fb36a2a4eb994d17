/** The languages of Headlamp's own texts (`supportedLanguages` in its `i18n/config`). */
const OF_HEADLAMP: ReadonlySet<string> = new Set('en es fr pt de it zh-TW zh ko ja hi ta'.split(' '))

const languageOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

/**
 * Returns the language that Headlamp selects and stores if the user selects none: the first exact match of the browser's languages,
 * otherwise the first match without the region, otherwise English.
 */
const detectedByHeadlamp = (browser: readonly string[]): string => {
  const isKnown = (tag: string): boolean => OF_HEADLAMP.has(tag)
  return browser.find(isKnown) ?? browser.map(languageOf).find(isKnown) ?? 'en'
}

/**
 * Returns the language of the plugin's texts if the plugin's own setting is `auto`. A language that the user selected in
 * Headlamp has priority. Headlamp also stores the language that it detects itself, and it does not support Ukrainian.
 * So a stored language counts as selected only if it differs from the detected one. Otherwise the first of the browser's
 * languages that the plugin supports is used.
 */
export const pluginLanguage = <Language extends string>(
  stored: string,
  browser: readonly string[],
  isSupported: (name: string) => name is Language,
  otherwise: Language,
): Language => {
  const isSelected = stored !== '' && stored !== detectedByHeadlamp(browser)
  const wanted = isSelected ? [stored] : browser
  return wanted.map(languageOf).find(isSupported) ?? otherwise
}
