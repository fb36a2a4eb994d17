import { expect, test } from 'vitest'
import { harmless, harmlessStyled } from './harmless.ts'
import { table } from './table.ts'

const NAME = 'a\u001b[2J\u001b]0;title\u0007\u001b[31mb\r\u009b2Jc'

test('makes control characters visible, and keeps line ends and tabs', () => {
  expect(harmless(NAME)).toBe('a^[[2J^[]0;title^G^[[31mb\\r\\u009b2Jc')
  expect(harmless('one\ttwo\nthree äöü 漢字 🚀')).toBe('one\ttwo\nthree äöü 漢字 🚀')
})

test('keeps only colours with the mark of styles, not colours in table cells', () => {
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
