import { expect, test } from 'vitest'
import { pluginLanguage } from './plugin-language.ts'

type Known = 'en' | 'uk' | 'zh'
const isKnown = (name: string): name is Known => ['en', 'uk', 'zh'].includes(name)
const language = (stored: string, ...browser: readonly string[]): Known =>
  pluginLanguage(stored, browser, isKnown, 'en')

test.each([
  ['Headlamp stores English because it does not support Ukrainian', 'en', ['uk-UA', 'uk', 'en'], 'uk'],
  ['the browser accepts only Ukrainian', 'en', ['uk'], 'uk'],
  ['Headlamp prefers the exact match English to Chinese with a region', 'en', ['zh-CN', 'en'], 'zh'],
  ['Headlamp detects Chinese', 'zh', ['zh-CN', 'zh'], 'zh'],
  ['nothing is stored yet', '', ['zh-Hans-CN', 'en-US'], 'zh'],
  ['the second language of the browser is supported', 'de', ['de-DE', 'de', 'uk'], 'uk'],
  ['no language of the browser is supported', 'de', ['de'], 'en'],
  ['the browser has no languages', 'en', [], 'en'],
] as const)('%s', (_, stored, browser, expected) => {
  expect(language(stored, ...browser)).toBe(expected)
})

test.each([
  ['English on a Chinese browser', 'en', ['zh-CN', 'zh', 'en'], 'en'],
  ['Chinese on an English browser', 'zh', ['en-US', 'en'], 'zh'],
  ['traditional Chinese', 'zh-TW', ['en'], 'zh'],
  ['a language that only Headlamp has', 'fr', ['uk', 'en'], 'en'],
] as const)('a language that the user selected in Headlamp wins: %s', (_, stored, browser, expected) => {
  expect(language(stored, ...browser)).toBe(expected)
})
