import { join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { type DeclaredProvider, type ProviderFolder, providerProblems } from './provider-rule.ts'

const FOLDER = 'providers/acme'
const SPECIFICATION = `${FOLDER}/docs/spec/acme.md`
const GUIDE = `${FOLDER}/docs/guides/acme.md`

const exports = {
  './descriptor': './src/descriptor.ts',
  './testing': './src/testing/index.ts',
  './testing/call-bench': './bench/calls-page.ts',
  './testing/dashboard': './testing/dashboard.ts',
  './testing/simulation': './testing/simulation/index.ts',
}
const descriptor: DeclaredProvider = {
  documentation: { specification: SPECIFICATION, guide: GUIDE },
  isReal: true,
  hasColumns: true,
}
const files = [
  SPECIFICATION,
  GUIDE,
  ...[...Object.values(exports), 'README.md', 'src/conformance.test.ts', 'tests/story.test.ts'].map((file) =>
    join(FOLDER, file),
  ),
]

/** Returns the problems of a complete provider after these files are removed and these properties are changed. */
const problems = (without: readonly string[], more: Partial<ProviderFolder> = {}): readonly string[] =>
  providerProblems(
    [{ name: 'acme', exports, descriptor, ...more }],
    files.filter((file) => !without.includes(file)),
  ).map((problem) => problem.replace(`${FOLDER}: `, ''))

test('a complete provider has no problems', () => {
  expect(problems([])).toEqual([])
})

test.each([
  [`${FOLDER}/README.md`, 'README.md is missing'],
  [SPECIFICATION, `the specification is missing: there is no ${SPECIFICATION}`],
  [GUIDE, `the guide is missing: there is no ${GUIDE}`],
  [`${FOLDER}/src/conformance.test.ts`, 'the conformance test is missing: there is no src/conformance.test.ts'],
  [`${FOLDER}/tests/story.test.ts`, 'tests of the whole product are missing: there is no test file in tests/'],
  [
    `${FOLDER}/testing/simulation/index.ts`,
    'package.json exports ./testing/simulation, and there is no ./testing/simulation/index.ts',
  ],
])('reports a provider without %s', (file, problem) => {
  expect(problems([file])).toEqual([problem])
})

test.each([
  ['./testing', 'the conformance suite is missing: package.json does not export ./testing'],
  [
    './testing/simulation',
    'the account of the fault simulation is missing: package.json does not export ./testing/simulation',
  ],
  ['./testing/call-bench', 'the bench of its calls is missing: package.json does not export ./testing/call-bench'],
  ['./testing/dashboard', 'the file with typical classes is missing: package.json does not export ./testing/dashboard'],
])('reports a provider without the export %s', (subpath, problem) => {
  const { [subpath as './testing']: _, ...others } = exports
  expect(problems([], { exports: others })).toEqual([problem])
})

test('a provider that only simulates a cloud needs no guide, no benchmark and no integration tests', () => {
  const { './testing/call-bench': _, ...others } = exports
  const simulating = { ...descriptor, isReal: false, documentation: { specification: SPECIFICATION } }
  const without = [GUIDE, `${FOLDER}/tests/story.test.ts`, `${FOLDER}/bench/calls-page.ts`]
  expect(problems(without, { exports: others, descriptor: simulating })).toEqual([])
})

test('a display-only folder needs a README and typical node classes', () => {
  const folder = { name: 'acme', exports: { './display': './src/display.ts' } }
  expect(providerProblems([folder], ['providers/acme/src/display.ts'])).toEqual([
    'providers/acme: README.md is missing',
    'providers/acme: the file with typical classes is missing: package.json does not export ./testing/dashboard',
  ])
})
