import { expect, test } from 'vitest'
import { parseRunArguments } from './run-arguments.ts'

test.each([
  [['test'], { ring: 'test', filters: [] }],
  [['test', 'engine', 'tests/integration/story'], { ring: 'test', filters: ['engine', 'tests/integration/story'] }],
  [['nightly', '--part', '2/3'], { ring: 'nightly', part: '2/3', filters: [] }],
  [['nightly', 'tests/integration/story'], { ring: 'nightly', filters: ['tests/integration/story'] }],
])('%o is accepted', (words, wanted) => {
  expect(parseRunArguments(words)).toEqual(wanted)
})

test.each([
  [['tonight'], 'unknown ring "tonight"; known: test, change, nightly'],
  [
    ['nightly', '--part', '2/3', 'engine', 'tests/integration/story'],
    '--part 2/3 is of all test files: leave out either it or the filters (engine tests/integration/story)',
  ],
  [
    ['nightly', 'engine', '--part', '2/3'],
    '--part 2/3 is of all test files: leave out either it or the filters (engine)',
  ],
  [['change', '--part', '1/2'], '--part is for npm run nightly: the other runs have no parts'],
  [['test', '--prat', '1/2'], 'unknown option "--prat"; known: --change, --nightly, --coverage, --part K/N'],
])('%o is refused with a one-line message', (words, line) => {
  expect(() => parseRunArguments(words)).toThrow(new Error(line))
})
