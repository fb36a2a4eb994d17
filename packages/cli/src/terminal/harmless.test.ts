import { expect, test } from 'vitest'
import { harmless, harmlessStyled } from './harmless.ts'
import { markdownRow, markdownText } from './markdown-text.ts'
import { table } from './table.ts'

const NAME = 'a\u001b[2J\u001b]0;title\u0007\u001b[31mb\r\u009b2Jc'

test('makes control characters visible, and keeps line ends and tabs', () => {
  expect(harmless(NAME)).toBe('a^[[2J^[]0;title^G^[[31mb\\r\\u009b2Jc')
  expect(harmless('one\ttwo\nthree äöü 漢字 🚀')).toBe('one\ttwo\nthree äöü 漢字 🚀')
})

test('keeps only the colours of styles, which have the mark, and no colours from table cells', () => {
  expect(harmlessStyled(`M[1m${NAME}M[22m`, 'M')).toBe(`\u001b[1m${harmless(NAME)}\u001b[22m`)
  expect(harmlessStyled('M[2J', 'M')).toBe('M[2J')
  expect(harmlessStyled(NAME)).toBe('a^[[2J^[]0;title^G\u001b[31mb\\r\\u009b2Jc')
  const [, line] = table(
    [NAME],
    [{ title: 'POD', value: (name) => name, paint: (text) => `\u001b[32m${text}\u001b[39m` }],
    80,
  )
  expect(line).toBe('\u001b[32ma^[[2J^[]0;title^G^[[31mb\\r\\u009b2Jc\u001b[39m')
})

test.each([
  ['# heading', '\\# heading'],
  ['1. item', '1\\. item'],
  ['- item', '\\- item'],
  ['> quote', '\\> quote'],
  ['[a](https://example.com)', '\\[a\\](https&#58;//example.com)'],
  ['see www.example.com', 'see www&#46;example.com'],
  ['<img src=x>', '&lt;img src=x>'],
  ['a|b\\|c\nd', 'a\\|b\\\\\\|c d'],
  ['`code` *b* _i_ ~s~', '\\`code\\` \\*b\\* \\_i\\_ \\~s\\~'],
  ['&lt;', '&amp;lt;'],
  ['shop/web-0, 3 pods at $0.1 (m5.large)', 'shop/web-0, 3 pods at $0.1 (m5.large)'],
])('escapes %j for Markdown', (text, escaped) => {
  expect(markdownText(text)).toBe(escaped)
  expect(markdownRow([text, 'x'])).toBe(`| ${escaped} | x |`)
})
