import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { englishWords } from './testing/english-words.ts'
import ukReasons from './uk/reasons.json'
import uk from './uk/translation.json'
import zhReasons from './zh/reasons.json'
import zh from './zh/translation.json'

const source = fileURLToPath(new URL('../', import.meta.url))

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ['uk', { ...uk, ...ukReasons }],
  ['zh', { ...zh, ...zhReasons }],
])('texts in %s have no English words, except names of kinds, fields and programs', (_, catalogue) => {
  const found = Object.entries(catalogue).flatMap(([key, text]) => {
    const words = englishWords(text.replaceAll(/\{\{\??\w+\}\}/g, ' '))
    return words.length === 0 ? [] : [`${key}: ${words.join(', ')}`]
  })
  expect(found).toEqual([])
})

test('English words are found, and names of kinds, fields, labels, commands and quantities are not', () => {
  expect(englishWords('вузол is not ready, бо Pod чекає')).toEqual(['is', 'not', 'ready'])
  expect(
    englishWords('NodePool spec.limits.cpu: 500m, karpenter.sh/do-not-disrupt, kube-scheduler (API, UID)'),
  ).toEqual([])
})

/** Matches the text between two tags, and the attributes that are read by people. */
const WRITTEN =
  /(?<![=:])>\s*([^<>{}=;()]*[A-Za-z]{2,}[^<>{}=;()]*)<\/|\b(?:title|label|alt|placeholder|aria-label)="([^"]+)"/g

test('components take every text from a catalogue', () => {
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      Array.from(readFileSync(`${source}${file}`, 'utf8').matchAll(WRITTEN), ([, text = '', attribute = '']) => {
        const words = englishWords(text || attribute)
        return words.length === 0 ? '' : `${file}: ${words.join(' ')}`
      }),
    )
  expect(found.filter((each) => each !== '')).toEqual([])
})
