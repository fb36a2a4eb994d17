import { describe, expect, test } from 'vitest'
import { readBenchOptions } from './bench-options.ts'

const read = (...words: string[]) =>
  readBenchOptions(
    'npm run bench:that: measures that.',
    {
      allowPositionals: false,
      options: {
        runs: { type: 'string', default: '5' },
        autoscaler: { type: 'string', multiple: true, default: ['kerf'] },
        drift: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o', default: 'text' },
        out: { type: 'string' },
      },
    },
    words,
  )

describe('the options of a bench', () => {
  test('are those that were given, and the defaults', () => {
    expect(read('--runs', '3', '--autoscaler=a', '--autoscaler=b', '--drift')).toMatchObject({
      kind: 'run',
      read: { values: { runs: '3', autoscaler: ['a', 'b'], drift: true, output: 'text' } },
    })
  })

  test.each(['--help', '-h'])('%s says what is measured, and each option with its default', (word) => {
    expect(read(word)).toEqual({
      kind: 'help',
      text: [
        'npm run bench:that: measures that.',
        '',
        'Options:',
        '  --runs N, default 5',
        '  --autoscaler VALUE (may be repeated), default kerf',
        '  --drift',
        '  -o, --output VALUE, default text',
        '  --out VALUE',
        '  -h, --help',
        '',
      ].join('\n'),
    })
  })

  test.each([
    [['--run', '3'], /^Unknown option '--run'\n\nnpm run bench:that/],
    [['--runs'], /^Option '--runs <value>' argument missing\n/],
    [['more'], /^Unexpected argument 'more'/],
    [['--runs', 'many'], /^--runs many: give a number\n$/],
    [['--runs', '-1'], /--runs/],
    [['--runs', ''], /^--runs : give a number\n$/],
  ])('%j is refused before anything is measured', (words, text) => {
    expect(read(...words)).toEqual({ kind: 'wrong', text: expect.stringMatching(text) })
  })
})
