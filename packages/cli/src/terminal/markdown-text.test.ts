import { expect, test } from 'vitest'
import { markdownRow, markdownText } from './markdown-text.ts'

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
