import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import en from './en/translation.json'
import uk from './uk/translation.json'
import zh from './zh/translation.json'

const source = fileURLToPath(new URL('../', import.meta.url))
const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, uk, zh }

const FORM = /_(zero|one|two|few|many|other)$/
const keysOf = (catalogue: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set(Object.keys(catalogue).map((key) => key.replace(FORM, '')))].sort()
/** Returns the texts of a key by plural form. A text without plural forms has the form `''`. */
const formsOf = (catalogue: Readonly<Record<string, string>>, key: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(catalogue)
      .filter(([stored]) => stored.replace(FORM, '') === key)
      .map(([stored, text]) => [FORM.exec(stored)?.[1] ?? '', text]),
  )
const placeholdersOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name).sort()

/** Returns the text between the parenthesis at `open` and the matching closing parenthesis. */
const insideOf = (text: string, open: number): string => {
  let depth = 0
  for (let place = open; place < text.length; place++) {
    if (text[place] === '(') depth += 1
    else if (text[place] === ')' && --depth === 0) return text.slice(open + 1, place)
  }
  throw new Error(`no end of the call at ${open}`)
}

/**
 * Returns the keys that the sources use: in `t(…)`, in tables as `textKey: '…'`, and in column titles as `title:
 * '…'`. Also returns the prefixes of keys that are built at run time.
 */
const namedInSources = (): { readonly keys: ReadonlySet<string>; readonly prefixes: ReadonlySet<string> } => {
  const keys = new Set<string>()
  const prefixes = new Set<string>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.endsWith('.test.ts') || file.startsWith('locales')) continue
    const text = readFileSync(`${source}${file}`, 'utf8')
    for (const [, key = ''] of text.matchAll(/\b(?:textKey|title): '([^']+)'/g)) keys.add(key)
    for (const { index } of text.matchAll(/(?<![.\w])t\(/g)) {
      const call = insideOf(text, text.indexOf('(', index))
      // The arguments after the key are not keys.
      const first = call.replace(/,\s*\{[\s\S]*$/, '')
      for (const [, key = ''] of first.matchAll(/'([^']+)'/g)) keys.add(key)
      for (const [, prefix = ''] of first.matchAll(/`([^`$]+)\$\{/g)) prefixes.add(prefix)
    }
  }
  return { keys, prefixes }
}

test('the sources use exactly the texts in the catalogue', () => {
  const { keys, prefixes } = namedInSources()
  const stored = keysOf(en)
  const composed = stored.filter((key) => [...prefixes].some((prefix) => key.startsWith(prefix)))
  for (const prefix of prefixes)
    expect([prefix, composed.some((key) => key.startsWith(prefix))]).toEqual([prefix, true])
  expect([...new Set([...keys, ...composed])].sort()).toEqual(stored)
})

/** Returns the texts in column headers and chips. */
const narrow = (): readonly string[] => {
  const keys = new Set<string>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.endsWith('.test.ts') || file.startsWith('locales')) continue
    const text = readFileSync(`${source}${file}`, 'utf8')
    for (const [, key = ''] of text.matchAll(/\b(?:label: t\(|title: )'([^']+)'/g)) keys.add(key)
  }
  return keysOf(en).filter((key) => keys.has(key) || /^(?:status|flag|phase)\./.test(key))
}
/**
 * Maximum number of characters in a title, so that four columns fit next to the sidebar in a window that is 1024
 * pixels wide.
 */
const MOST_IN_A_COLUMN = 24

describe.each(Object.keys(catalogues))('the catalogue %s', (language) => {
  const catalogue = catalogues[language] ?? {}

  test('has the same texts as English, with the same placeholders', () => {
    expect(keysOf(catalogue)).toEqual(keysOf(en))
    for (const key of keysOf(en)) {
      const [english = ''] = formsOf(en, key).values()
      for (const text of formsOf(catalogue, key).values())
        expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(english)])
    }
  })

  test('has short texts for narrow columns', () => {
    const long = narrow().flatMap((key) =>
      [...formsOf(catalogue, key).values()].filter((text) => text.length > MOST_IN_A_COLUMN),
    )
    expect(long).toEqual([])
  })

  test('has every plural form of its language for texts with a count, and no plural forms for other texts', () => {
    const plurals = [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort()
    const counted = keysOf(catalogue).filter((key) =>
      [...formsOf(catalogue, key).values()].some((text) => text.includes('{{count}}')),
    )
    expect(counted.length).toBeGreaterThan(0)
    for (const key of keysOf(catalogue))
      expect([key, [...formsOf(catalogue, key).keys()].sort()]).toEqual([key, counted.includes(key) ? plurals : ['']])
  })
})

// i18next is part of the plugin's toolchain, which is not installed in every clone. `npm run check` and the dashboard
// install it.
const isInstalled = existsSync(`${source}../node_modules/i18next/package.json`)

test.skipIf(!isInstalled)('a text has the plural form for its count in every language', async () => {
  const { translatorFor } = await import('./translate.ts')
  const drifts = (language: 'en' | 'uk' | 'zh', count: number): string => translatorFor(language)('drifts', { count })
  expect([0, 1, 2].map((count) => drifts('en', count))).toEqual([
    '0 nodes drift. The controller replaces drifted nodes within the disruption budgets.',
    '1 node drifts. The controller replaces drifted nodes within the disruption budgets.',
    '2 nodes drift. The controller replaces drifted nodes within the disruption budgets.',
  ])
  expect([1, 3, 5, 21].map((count) => drifts('uk', count).split(' ').slice(0, 2).join(' '))).toEqual([
    '1 вузол',
    '3 вузли',
    '5 вузлів',
    '21 вузол',
  ])
  expect(drifts('zh', 1)).toBe('1 个节点将漂移。控制器会在中断预算范围内替换已漂移的节点。')
})

test.skipIf(!isInstalled)('values are inserted into a text unchanged', async () => {
  const { isLanguage, translatorFor } = await import('./translate.ts')
  expect(translatorFor('en')('forbidden', { what: '<pods> & $t(name)' })).toContain('list <pods> & $t(name) in')
  expect(translatorFor('uk')('status.Ready')).toBe('Готово')
  expect(translatorFor('uk')).toBe(translatorFor('uk'))
  expect(['en', 'uk', 'zh', 'de', 'toString'].filter(isLanguage)).toEqual(['en', 'uk', 'zh'])
})
