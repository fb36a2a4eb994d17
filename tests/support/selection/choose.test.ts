import { expect, test } from 'vitest'
import type { Suite } from '../suite.ts'
import { choiceText } from './choice-text.ts'
import { chooseFiles } from './choose.ts'
import type { ImportGraph } from './import-graph.ts'

const suite = (name: string, rest: Partial<Suite>): Suite => ({
  name,
  proves: name,
  files: [],
  inputs: [],
  runs: [],
  ...rest,
})
const suites = [
  suite('acme', {
    files: ['providers/acme/tests/'],
    except: ['providers/acme/tests/cheap.test.ts'],
    runs: ['cli/main.ts'],
    providers: ['acme'],
  }),
  suite('umbra', {
    files: ['providers/umbra/tests/'],
    inputs: ['deploy/charts/'],
    runs: ['cli/main.ts'],
    providers: ['umbra'],
  }),
]
const testFiles = [
  'providers/acme/tests/a.test.ts',
  'providers/acme/tests/b.test.ts',
  'providers/acme/tests/cheap.test.ts',
  'providers/umbra/tests/c.test.ts',
]
const graph: ImportGraph = new Map(
  Object.entries({
    'cli/main.ts': new Set(['engine/plan.ts', 'providers/acme/a.ts', 'providers/umbra/z.ts', 'providers/kit/k.ts']),
    'providers/acme/tests/b.test.ts': new Set(['providers/acme/tests/helper.ts', 'providers/acme/tests/data/']),
  }),
)

const choose = (changed: readonly string[], budgetSeconds = 100, commit = '1') =>
  chooseFiles({
    suites,
    testFiles,
    changed,
    graph,
    commit,
    wallSeconds: (file) => (file.endsWith('b.test.ts') ? 30 : 20),
    budgetSeconds,
  })
const affected = (changed: readonly string[]) =>
  choose(changed).chosen.flatMap(({ file, reason }) => (reason.kind === 'rotation' ? [] : [`${file}: ${reason.kind}`]))

test.each([
  ['the test itself', 'providers/acme/tests/a.test.ts', ['providers/acme/tests/a.test.ts: changed']],
  ['a helper', 'providers/acme/tests/helper.ts', ['providers/acme/tests/b.test.ts: import']],
  ['a file of a folder that it reads', 'providers/acme/tests/data/x.json', ['providers/acme/tests/b.test.ts: import']],
  ['a declared input', 'deploy/charts/values.yaml', ['providers/umbra/tests/c.test.ts: input']],
  [
    'a provider',
    'providers/acme/a.ts',
    ['providers/acme/tests/a.test.ts: import', 'providers/acme/tests/b.test.ts: import'],
  ],
  [
    'what all providers share',
    'providers/kit/k.ts',
    [
      'providers/acme/tests/a.test.ts: import',
      'providers/umbra/tests/c.test.ts: import',
      'providers/acme/tests/b.test.ts: import',
    ],
  ],
  ['a page that nobody reads', 'notes/x.txt', []],
  ['a cheap test', 'providers/acme/tests/cheap.test.ts', []],
])('a change of %s selects the files that it can affect', (_, path, expected) => {
  expect(affected([path])).toEqual(expected)
})

test('the most important files come first, and files beyond the budget run only in the nightly run', () => {
  const { chosen, leftToNightly } = choose(['providers/acme/tests/b.test.ts', 'engine/plan.ts'], 55)
  expect(chosen.map(({ file }) => file)).toEqual(['providers/acme/tests/b.test.ts', 'providers/acme/tests/a.test.ts'])
  expect(leftToNightly.map(({ file }) => file)).toEqual(['providers/umbra/tests/c.test.ts'])
  const text = choiceText(
    {
      base: { commit: 'abcdef0123456789', why: 'merge base with main' },
      paths: ['engine/plan.ts'],
      withoutEffect: ['x.ts'],
    },
    { chosen, leftToNightly },
    55,
  )
  expect(text).toBe(
    [
      'base: abcdef012345 (merge base with main); 1 changed files, 1 more without effect (moved, comments, types)',
      '  engine/plan.ts',
      'beyond npm test: 2 expensive test files, 55 s are left for them:',
      '    30 s  providers/acme/tests/b.test.ts (acme): it changed',
      '    20 s  providers/acme/tests/a.test.ts (acme): it runs engine/plan.ts (1 imports away)',
      'the change can affect 1 more, which the time does not hold; npm run nightly must run them:',
      '    20 s  providers/umbra/tests/c.test.ts (umbra): it runs engine/plan.ts (1 imports away)',
      '',
    ].join('\n'),
  )
})

test('a rotating tenth of the unaffected files runs, so that each file runs within a few dozen commits', () => {
  const runs = Array.from({ length: 300 }, (_, index) =>
    choose([], 100, `commit ${index}`).chosen.map(({ file }) => file),
  )
  for (const file of [
    'providers/acme/tests/a.test.ts',
    'providers/acme/tests/b.test.ts',
    'providers/umbra/tests/c.test.ts',
  ]) {
    const times = runs.filter((chosen) => chosen.includes(file)).length
    expect(times).toBeGreaterThan(15)
    expect(times).toBeLessThan(50)
  }
})
