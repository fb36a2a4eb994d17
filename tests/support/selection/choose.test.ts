import { expect, test } from 'vitest'
import type { Suite } from '../suites.ts'
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
  suite('aws', {
    files: ['tests/integration/aws/'],
    except: ['tests/integration/aws/cheap.test.ts'],
    runs: ['cli/main.ts'],
    providers: ['aws'],
  }),
  suite('azure', {
    files: ['tests/integration/azure/'],
    inputs: ['deploy/charts/'],
    runs: ['cli/main.ts'],
    providers: ['azure'],
  }),
]
const testFiles = [
  'tests/integration/aws/a.test.ts',
  'tests/integration/aws/b.test.ts',
  'tests/integration/aws/cheap.test.ts',
  'tests/integration/azure/c.test.ts',
]
const graph: ImportGraph = new Map(
  Object.entries({
    'cli/main.ts': new Set(['engine/plan.ts', 'providers/aws/a.ts', 'providers/azure/z.ts', 'providers/kit/k.ts']),
    'tests/integration/aws/b.test.ts': new Set(['tests/integration/aws/helper.ts', 'tests/integration/aws/data/']),
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
  ['the test itself', 'tests/integration/aws/a.test.ts', ['tests/integration/aws/a.test.ts: changed']],
  ['a helper', 'tests/integration/aws/helper.ts', ['tests/integration/aws/b.test.ts: import']],
  [
    'a file of a folder that it reads',
    'tests/integration/aws/data/x.json',
    ['tests/integration/aws/b.test.ts: import'],
  ],
  ['a declared input', 'deploy/charts/values.yaml', ['tests/integration/azure/c.test.ts: input']],
  [
    'a provider',
    'providers/aws/a.ts',
    ['tests/integration/aws/a.test.ts: import', 'tests/integration/aws/b.test.ts: import'],
  ],
  [
    'what all providers share',
    'providers/kit/k.ts',
    [
      'tests/integration/aws/a.test.ts: import',
      'tests/integration/azure/c.test.ts: import',
      'tests/integration/aws/b.test.ts: import',
    ],
  ],
  ['a page that nobody reads', 'notes/x.txt', []],
  ['a cheap test', 'tests/integration/aws/cheap.test.ts', []],
])('%s chooses the files that it can affect', (_, path, expected) => {
  expect(affected([path])).toEqual(expected)
})

test('the most important files come first, and files over the budget are left to nightly', () => {
  const { chosen, leftToNightly } = choose(['tests/integration/aws/b.test.ts', 'engine/plan.ts'], 55)
  expect(chosen.map(({ file }) => file)).toEqual(['tests/integration/aws/b.test.ts', 'tests/integration/aws/a.test.ts'])
  expect(leftToNightly.map(({ file }) => file)).toEqual(['tests/integration/azure/c.test.ts'])
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
      '    30 s  tests/integration/aws/b.test.ts (aws): it changed',
      '    20 s  tests/integration/aws/a.test.ts (aws): it runs engine/plan.ts (1 imports away)',
      'the change can affect 1 more, which the time does not hold; npm run nightly must run them:',
      '    20 s  tests/integration/azure/c.test.ts (azure): it runs engine/plan.ts (1 imports away)',
      '',
    ].join('\n'),
  )
})

test('a rotating tenth of the unaffected files runs, so that each file runs within a few dozen commits', () => {
  const runs = Array.from({ length: 300 }, (_, index) =>
    choose([], 100, `commit ${index}`).chosen.map(({ file }) => file),
  )
  for (const file of [
    'tests/integration/aws/a.test.ts',
    'tests/integration/aws/b.test.ts',
    'tests/integration/azure/c.test.ts',
  ]) {
    const times = runs.filter((chosen) => chosen.includes(file)).length
    expect(times).toBeGreaterThan(15)
    expect(times).toBeLessThan(50)
  }
})
