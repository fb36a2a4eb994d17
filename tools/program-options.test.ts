import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readProgramOptions } from './program-options.ts'
import { root } from './source-files.ts'

const read = (...words: string[]) =>
  readProgramOptions(
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

describe('the options of a program', () => {
  test('returns the options that were given, and the defaults', () => {
    expect(read('--runs', '3', '--autoscaler=a', '--autoscaler=b', '--drift')).toMatchObject({
      kind: 'run',
      read: { values: { runs: '3', autoscaler: ['a', 'b'], drift: true, output: 'text' } },
    })
  })

  test.each(['--help', '-h'])('%s prints what the program does, and each option with its default', (word) => {
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
  ])('refuses %j before the program does anything', (words, text) => {
    expect(read(...words)).toEqual({ kind: 'wrong', text: expect.stringMatching(text) })
  })
})

test('no program that npm starts parses its options in another way', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const programs = [
    ...Object.values(scripts)
      .join('\n')
      .matchAll(/with-node\.mjs (\S+\.ts)/g),
  ].map(([, file = '']) => file)
  expect(programs.length).toBeGreaterThan(20)
  expect(programs.filter((file) => readFileSync(join(root, file), 'utf8').includes('parseArgs('))).toEqual([])
})
