import { expect, test } from 'vitest'
import { cloudNameProblems } from './cloud-name-rule.ts'

const clouds = [{ provider: 'acme', words: ['acme', 'AcmeNodeClass', 'acme.example', 'vm9'] }]
const problems = (path: string, text: string, exceptions: readonly string[] = []) =>
  cloudNameProblems(
    [{ path, text }],
    clouds,
    exceptions.map((each) => ({ path: each, reason: 'a reason' })),
  )

test.each([
  ["import { acme } from '@kerf/provider-acme'", 'acme'],
  ['const acmeMetrics = 1', 'acme'],
  ["kind: 'AcmeNodeClass'", 'AcmeNodeClass'],
  ["const type = 'vm9.large'", 'vm9'],
])('code outside a cloud’s folder must not name the cloud: %s', (text, word) => {
  expect(problems('packages/cli/src/a.ts', `\n${text}`)).toEqual([
    `packages/cli/src/a.ts:2 '${word}' belongs into providers/acme/`,
  ])
})

test('a path outside a cloud’s folder must not name the cloud', () => {
  expect(problems('packages/cli/src/acme/verb.ts', '')).toEqual([
    'packages/cli/src/acme/verb.ts: the path names acme: the file belongs into providers/acme/',
  ])
})

test.each([
  ['providers/acme/src/a.ts', "const name = 'acme'"],
  ['packages/cli/src/a.ts', '// as acme does'],
  ['packages/cli/src/a.ts', 'const tacmen = 1'],
  ['packages/cli/src/a.ts', 'const acmestic = 1'],
])('%s may contain %s', (path, text) => {
  expect(problems(path, text)).toEqual([])
})

test('an exception covers a file or a folder, and an unnecessary exception is a problem', () => {
  expect(problems('packages/cli/src/a.ts', 'acme()', ['packages/cli/src/a.ts'])).toEqual([])
  expect(problems('packages/cli/src/a.ts', 'acme()', ['packages/cli/'])).toEqual([])
  expect(problems('packages/cli/src/a.ts', 'other()', ['packages/cli/'])).toEqual([
    'tools/cloud-name-exceptions.ts: packages/cli/ names no cloud: remove the exception',
  ])
})

test('tests may name the default cloud, but shipped code must not', () => {
  const said = (path: string) =>
    cloudNameProblems([{ path, text: 'acme()' }], [{ provider: 'acme', words: ['acme'], isDefault: true }], [])
  expect(said('packages/cli/src/a.test.ts')).toEqual([])
  expect(said('tests/simulation/a.ts')).toEqual([])
  expect(said('packages/cli/src/a.ts')).toHaveLength(1)
})

test('a well-known name may be used anywhere, and one that no file contains is a problem', () => {
  const said = (path: string, text: string) =>
    cloudNameProblems([{ path, text }], clouds, [], [{ name: 'csi.acme.example', reason: 'a driver' }])
  expect(said('packages/cli/src/a.ts', "const zone = 'topology.csi.acme.example/zone'")).toEqual([])
  expect(said('packages/cli/src/a.ts', "const driver = 'csi.acme.example'; acme()")).toEqual([
    "packages/cli/src/a.ts:1 'acme' belongs into providers/acme/",
  ])
  expect(said('providers/acme/src/a.ts', "const driver = 'csi.acme.example'")).toEqual([
    'tools/cloud-name-exceptions.ts: no file outside the folders of clouds has csi.acme.example: remove it',
  ])
})
