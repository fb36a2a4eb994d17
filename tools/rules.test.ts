import { describe, expect, test } from 'vitest'
import { importProblems, type Package } from './import-rule.ts'
import { oneSourceProblems } from './one-source-rule.ts'
import { totalsLine, totalsOf } from './test-totals.mjs'
import { timeAndRandomnessProblems } from './time-and-randomness-rule.ts'

const packageOf = (folder: string, name: string, dependencies: readonly string[], exports = ['.']): Package => ({
  folder,
  name,
  dependencies: new Set(dependencies),
  exports: new Set(exports),
})
const packages = [
  packageOf('apis', '@kerf/apis', ['typebox'], ['.', './conformance']),
  packageOf('engine', '@kerf/engine', ['@kerf/apis']),
  packageOf('sandbox', '@kerf/sandbox', ['@kerf/apis', '@kerf/runtime', '@kerf/engine']),
  packageOf('providers/kwok', '@kerf/provider-kwok', ['@kerf/apis', '@kerf/provider-contract']),
  packageOf('providers/contract', '@kerf/provider-contract', []),
  packageOf('providers/kit', '@kerf/provider-kit', ['@kerf/provider-contract']),
  packageOf('cli', '@kerf/cli', ['@kerf/apis', '@kerf/sandbox']),
  packageOf('testing', '@kerf/testing', ['@kerf/apis']),
]
const problems = (path: string, text: string): readonly string[] => importProblems([{ path, text }], packages)

describe('servers and secrets are each created in one file', () => {
  const said = (path: string, text: string): readonly string[] => oneSourceProblems([{ path, text }])

  test.each([
    ['runtime/src/serving/http-server.ts', 'createServer(handle)'],
    ['cli/src/a.test.ts', 'createServer(handle)'],
    ['test/aws/a.ts', 'createServer(handle)'],
    ['sandbox/src/a.ts', 'const name = random.text(5)'],
    ['sandbox/src/a.ts', 'const token = secretToken()'],
  ])('%s may say %s', (path, text) => expect(said(path, text)).toEqual([]))

  test.each([
    ['cli/src/a.ts', '\nconst server = http.createServer()', 'cli/src/a.ts:2 use HttpServer'],
    ['sandbox/src/a.ts', 'const token = options.token ?? api.state.random.text(32)', 'sandbox/src/a.ts:1 secrets come'],
    ['cli/src/a.ts', 'adminSecret: random.uuid()', 'cli/src/a.ts:1 secrets come'],
  ])('%s may not say %s', (path, text, problem) => expect(said(path, text)).toEqual([expect.stringContaining(problem)]))
})

describe('import rule', () => {
  test.each([
    ['engine/src/a.ts', "import { x } from '@kerf/apis'"],
    ['engine/src/a.test.ts', "import { readFileSync } from 'node:fs'\nimport { x } from '@kerf/sandbox'"],
    ['engine/src/a/b.ts', "import type { X } from '../c.ts'"],
    ['providers/kwok/src/a.ts', "export * from '@kerf/provider-contract'"],
    ['providers/kit/src/a.ts', "export * from '@kerf/provider-contract'"],
    ['cli/src/a.ts', "const { x } = await import('@kerf/sandbox')"],
    ['engine/src/a.ts', "// import { x } from '@kerf/sandbox'\n/** import('@kerf/cli') */\nexport {}"],
    ['apis/src/a.ts', "import { Type } from 'typebox'"],
    ['engine/src/a.test.ts', "import { cases } from '@kerf/apis/conformance'"],
    ['apis/src/a.test.ts', "import { pod } from '@kerf/testing'"],
    ['controllers/src/testing/a.ts', "import { pod } from '@kerf/testing'"],
    ['bench/day/a.ts', "import { pod } from '@kerf/testing'"],
    ['sim/a.ts', "import { pod } from '@kerf/testing'"],
    ['test/story/a.ts', "import { pod } from '@kerf/testing'"],
    ['testing/src/a.ts', "import { x } from '@kerf/apis'"],
  ])('%s may say %s', (path, text) => expect(problems(path, text)).toEqual([]))

  test.each([
    [
      'engine/src/a.ts',
      "\nimport { x } from '@kerf/sandbox'",
      "engine/src/a.ts:2 '@kerf/sandbox' engine may import @kerf/apis",
    ],
    [
      'sandbox/src/a.ts',
      "import {\n  x,\n} from '@kerf/engine'",
      "sandbox/src/a.ts:3 '@kerf/engine' sandbox may import @kerf/apis, @kerf/runtime",
    ],
    [
      'providers/kwok/src/a.ts',
      "export type { x } from '@kerf/sandbox'",
      "providers/kwok/src/a.ts:1 '@kerf/sandbox' providers/kwok may import @kerf/apis, @kerf/engine, @kerf/runtime, @kerf/provider-contract, @kerf/provider-kit",
    ],
    [
      'providers/contract/src/a.ts',
      "import { x } from '@kerf/provider-kit'",
      "providers/contract/src/a.ts:1 '@kerf/provider-kit' providers/contract may import @kerf/apis, @kerf/engine, @kerf/runtime",
    ],
    ['apis/src/a.ts', "import '@kerf/engine'", "apis/src/a.ts:1 '@kerf/engine' apis may import nothing of ours"],
    [
      'cli/src/a.ts',
      "import { x } from '../../engine/src/b.ts'",
      "cli/src/a.ts:1 '../../engine/src/b.ts' leaves cli/: import the other package by its name",
    ],
    [
      'cli/src/a.ts',
      "import { x } from '@kerf/apis/src/quantity.ts'",
      "cli/src/a.ts:1 '@kerf/apis/src/quantity.ts' is not exported by apis/package.json",
    ],
    [
      'cli/src/a.ts',
      "import { x } from '@kerf/engine'",
      "cli/src/a.ts:1 '@kerf/engine' is not in the dependencies of cli/package.json",
    ],
    ['cli/src/a.ts', "import { pod } from '@kerf/testing'", "cli/src/a.ts:1 '@kerf/testing' is for tests only"],
    ['scripts/a.ts', "import { pod } from '@kerf/testing'", "scripts/a.ts:1 '@kerf/testing' is for tests only"],
    [
      'testing/src/a.ts',
      "import { x } from '@kerf/engine'",
      "testing/src/a.ts:1 '@kerf/engine' testing may import @kerf/apis",
    ],
    ['cli/src/a.ts', "import { x } from './b'", "cli/src/a.ts:1 './b' needs the file’s ending (.ts)"],
    [
      'engine/src/a.ts',
      "import { join } from 'node:path'",
      "engine/src/a.ts:1 'node:path' engine also runs in the browser",
    ],
    ['cli/src/a.ts', "import { join } from 'path'", "cli/src/a.ts:1 'path' is built in: write node:"],
    [
      'apis/src/a.ts',
      "const ajv = await import('ajv')",
      "apis/src/a.ts:1 'ajv' is not in the dependencies of apis/package.json",
    ],
  ])('%s may not say %s', (path, text, problem) => expect(problems(path, text)).toEqual([problem]))
})

describe('time and chance rule', () => {
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
  ])('%s is for the composition root', (text) => {
    expect(found('engine/src/a.ts', text)).toBeGreaterThan(0)
    expect(found('cli/src/a.ts', text)).toBe(0)
    expect(found('engine/src/a.test.ts', text)).toBe(0)
    expect(found('runtime/src/clock/system-clock.ts', text)).toBe(0)
  })
  test.each(['new Date(stamp)', 'clock.setTimeout(f, 1)', '// Date.now() would lie', 'random.next()'])(
    '%s is fine anywhere',
    (text) => expect(found('engine/src/a.ts', text)).toBe(0),
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
  ])('%j, exit ok %s: %s', (testResults, succeeded, line) =>
    expect(totalsLine(totalsOf({ testResults }, succeeded))).toBe(line),
  )
})
