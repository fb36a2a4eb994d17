import { describe, expect, test } from 'vitest'
import { importProblems, type Package } from './import-rule.ts'
import { oneSourceProblems } from './one-source-rule.ts'
import { plainErrorProblems } from './plain-error-rule.ts'
import { testTotals, totalsLine } from './test-totals.mjs'
import { timeAndRandomnessProblems } from './time-and-randomness-rule.ts'

const folderPackage = (folder: string, name: string, dependencies: readonly string[], exports = ['.']): Package => ({
  folder,
  name,
  dependencies: new Set(dependencies),
  exports: new Set(exports),
})
const packages = [
  folderPackage('packages/apis', '@kerf/apis', ['typebox'], ['.', './conformance']),
  folderPackage('packages/engine', '@kerf/engine', ['@kerf/apis']),
  folderPackage('packages/sandbox', '@kerf/sandbox', ['@kerf/apis', '@kerf/runtime', '@kerf/engine']),
  folderPackage('providers/kwok', '@kerf/provider-kwok', ['@kerf/apis', '@kerf/provider-contract']),
  folderPackage('providers/contract', '@kerf/provider-contract', []),
  folderPackage('providers/kit', '@kerf/provider-kit', ['@kerf/provider-contract']),
  folderPackage('packages/cli', '@kerf/cli', ['@kerf/apis', '@kerf/sandbox']),
  folderPackage('tests/support/builders', '@kerf/testing', ['@kerf/apis']),
]
const problems = (path: string, text: string): readonly string[] => importProblems([{ path, text }], packages)

describe('servers and secrets are each created in one file', () => {
  const said = (path: string, text: string): readonly string[] => oneSourceProblems([{ path, text }])

  test.each([
    ['packages/runtime/src/serving/http-server.ts', 'createServer(handle)'],
    ['packages/cli/src/a.test.ts', 'createServer(handle)'],
    ['providers/acme/tests/a.ts', 'createServer(handle)'],
    ['packages/sandbox/src/a.ts', 'const name = random.text(5)'],
    ['packages/sandbox/src/a.ts', 'const token = secretToken()'],
  ])('%s may contain %s', (path, text) => expect(said(path, text)).toEqual([]))

  test.each([
    ['packages/cli/src/a.ts', '\nconst server = http.createServer()', 'packages/cli/src/a.ts:2 use HttpServer'],
    [
      'packages/sandbox/src/a.ts',
      'const token = options.token ?? api.state.random.text(32)',
      'packages/sandbox/src/a.ts:1 secrets come',
    ],
    ['packages/cli/src/a.ts', 'adminSecret: random.uuid()', 'packages/cli/src/a.ts:1 secrets come'],
  ])('%s must not contain %s', (path, text, problem) =>
    expect(said(path, text)).toEqual([expect.stringContaining(problem)]),
  )
})

describe('import rule', () => {
  test.each([
    ['packages/engine/src/a.ts', "import { x } from '@kerf/apis'"],
    ['packages/engine/src/a.test.ts', "import { readFileSync } from 'node:fs'\nimport { x } from '@kerf/sandbox'"],
    ['packages/engine/src/a/b.ts', "import type { X } from '../c.ts'"],
    ['providers/kwok/src/a.ts', "export * from '@kerf/provider-contract'"],
    ['providers/kit/src/a.ts', "export * from '@kerf/provider-contract'"],
    ['packages/cli/src/a.ts', "const { x } = await import('@kerf/sandbox')"],
    ['packages/cli/src/provider-list.ts', "export { x } from '@kerf/provider-kwok'"],
    ['packages/engine/src/a.ts', "// import { x } from '@kerf/sandbox'\n/** import('@kerf/cli') */\nexport {}"],
    ['packages/apis/src/a.ts', "import { Type } from 'typebox'"],
    ['packages/engine/src/a.test.ts', "import { cases } from '@kerf/apis/conformance'"],
    ['packages/apis/src/a.test.ts', "import { pod } from '@kerf/testing'"],
    ['packages/controllers/src/testing/a.ts', "import { pod } from '@kerf/testing'"],
    ['tests/benchmarks/day/a.ts', "import { pod } from '@kerf/testing'"],
    ['tests/simulation/a.ts', "import { pod } from '@kerf/testing'"],
    ['tests/integration/story/a.ts', "import { pod } from '@kerf/testing'"],
    ['tests/support/builders/src/a.ts', "import { x } from '@kerf/apis'"],
    ['providers/kwok/tests/a.ts', "import { x } from '../../../tests/integration/story/until.ts'"],
  ])('%s may contain %s', (path, text) => expect(problems(path, text)).toEqual([]))

  test.each([
    [
      'packages/engine/src/a.ts',
      "\nimport { x } from '@kerf/sandbox'",
      "packages/engine/src/a.ts:2 '@kerf/sandbox' packages/engine may import @kerf/apis",
    ],
    [
      'packages/sandbox/src/a.ts',
      "import {\n  x,\n} from '@kerf/engine'",
      "packages/sandbox/src/a.ts:3 '@kerf/engine' packages/sandbox may import @kerf/apis, @kerf/runtime",
    ],
    [
      'providers/kwok/src/a.ts',
      "export type { x } from '@kerf/cli'",
      "providers/kwok/src/a.ts:1 '@kerf/cli' providers/kwok may import @kerf/apis, @kerf/engine, @kerf/runtime, @kerf/provider-contract, @kerf/provider-kit, @kerf/sandbox",
    ],
    [
      'providers/contract/src/a.ts',
      "import { x } from '@kerf/provider-kit'",
      "providers/contract/src/a.ts:1 '@kerf/provider-kit' providers/contract may import @kerf/apis, @kerf/engine, @kerf/runtime",
    ],
    [
      'packages/apis/src/a.ts',
      "import '@kerf/engine'",
      "packages/apis/src/a.ts:1 '@kerf/engine' packages/apis may import nothing of ours",
    ],
    [
      'packages/cli/src/a.ts',
      "import { x } from '../../engine/src/b.ts'",
      "packages/cli/src/a.ts:1 '../../engine/src/b.ts' leaves packages/cli/: import the other package by its name",
    ],
    [
      'packages/cli/src/a.ts',
      "import { x } from '@kerf/apis/src/quantity.ts'",
      "packages/cli/src/a.ts:1 '@kerf/apis/src/quantity.ts' is not exported by packages/apis/package.json",
    ],
    [
      'packages/cli/src/a.ts',
      "import { x } from '@kerf/engine'",
      "packages/cli/src/a.ts:1 '@kerf/engine' is not in the dependencies of packages/cli/package.json",
    ],
    [
      'packages/cli/src/provider-list.ts',
      "export { x } from '@kerf/engine'",
      "packages/cli/src/provider-list.ts:1 '@kerf/engine' is not in the dependencies of packages/cli/package.json",
    ],
    [
      'packages/cli/src/a.ts',
      "import { pod } from '@kerf/testing'",
      "packages/cli/src/a.ts:1 '@kerf/testing' is for tests only",
    ],
    [
      'packages/cli/src/a.ts',
      "import { x } from '@kerf/provider-kwok'",
      "packages/cli/src/a.ts:1 '@kerf/provider-kwok' is not in the dependencies of packages/cli/package.json",
    ],
    ['scripts/a.ts', "import { pod } from '@kerf/testing'", "scripts/a.ts:1 '@kerf/testing' is for tests only"],
    [
      'tests/support/builders/src/a.ts',
      "import { x } from '@kerf/engine'",
      "tests/support/builders/src/a.ts:1 '@kerf/engine' tests/support/builders may import @kerf/apis",
    ],
    [
      'providers/kwok/src/a.ts',
      "import { x } from '../../../tests/integration/story/until.ts'",
      "providers/kwok/src/a.ts:1 '../../../tests/integration/story/until.ts' leaves providers/kwok/: import the other package by its name",
    ],
    ['packages/cli/src/a.ts', "import { x } from './b'", "packages/cli/src/a.ts:1 './b' needs the file’s ending (.ts)"],
    [
      'packages/engine/src/a.ts',
      "import { join } from 'node:path'",
      "packages/engine/src/a.ts:1 'node:path' packages/engine also runs in the browser",
    ],
    ['packages/cli/src/a.ts', "import { join } from 'path'", "packages/cli/src/a.ts:1 'path' is built in: write node:"],
    [
      'packages/apis/src/a.ts',
      "const ajv = await import('ajv')",
      "packages/apis/src/a.ts:1 'ajv' is not in the dependencies of packages/apis/package.json",
    ],
  ])('%s must not contain %s', (path, text, problem) => expect(problems(path, text)).toEqual([problem]))
})

describe('time and randomness rule', () => {
  const found = (path: string, text: string): number => timeAndRandomnessProblems([{ path, text }]).length
  test.each([
    'const t = Date.now()',
    'const t = new Date()',
    'setTimeout(f, 1)',
    'globalThis.setInterval(f, 1)',
    "import { setTimeout as sleep } from 'node:timers/promises'",
    'Math.random()',
    'performance.now()',
    'crypto.randomUUID()',
  ])('%s is only allowed in the composition root', (text) => {
    expect(found('packages/engine/src/a.ts', text)).toBeGreaterThan(0)
    expect(found('packages/cli/src/a.ts', text)).toBe(0)
    expect(found('packages/engine/src/a.test.ts', text)).toBe(0)
    expect(found('packages/runtime/src/clock/system-clock.ts', text)).toBe(0)
  })
  test.each(['new Date(stamp)', 'clock.setTimeout(f, 1)', '// Date.now() would lie', 'random.next()'])(
    '%s is allowed anywhere',
    (text) => expect(found('packages/engine/src/a.ts', text)).toBe(0),
  )
})

describe('totals', () => {
  const file = (status: string, ...tests: readonly string[]) => ({
    status,
    assertionResults: tests.map((each) => ({ status: each })),
  })
  test.each([
    [[file('passed', 'passed', 'passed')], true, '2 passed, 0 failed'],
    [[file('failed', 'passed', 'failed'), file('passed', 'pending', 'todo')], false, '1 passed, 1 failed, 2 skipped'],
    [[file('failed'), file('passed', 'passed')], false, '1 passed, 1 failed'],
    [[file('passed', 'passed')], false, '1 passed, 1 failed'],
    [[], false, '0 passed, 1 failed'],
  ])('results %j and success %s are summarized as %s', (testResults, succeeded, line) =>
    expect(totalsLine(testTotals({ testResults }, succeeded))).toBe(line),
  )
})

test.each([
  ['packages/engine/src/plan.ts', "throw new Error('x')", 1],
  ['packages/dashboard/plugin/src/components/links.tsx', "throw new Error('x')", 1],
  ['providers/acme/src/descriptor.ts', "reject(new Error('x'))", 1],
  ['providers/acme/src/descriptor.ts', "return { ok: false, error: new Error('x') }", 1],
  ['providers/acme/src/descriptor.ts', "// throw new Error('x')", 0],
  ['providers/acme/src/descriptor.ts', "throw new InvariantError('x')", 0],
  ['providers/acme/src/testing/fake.ts', "throw new Error('x')", 0],
  ['packages/engine/src/plan.test.ts', "throw new Error('x')", 0],
  ['tools/check.ts', "throw new Error('x')", 0],
])('number of plain errors in %s: %s', (path, text, count) => {
  expect(plainErrorProblems([{ path, text }])).toHaveLength(count)
})
