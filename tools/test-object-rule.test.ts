import { describe, expect, test } from 'vitest'
import { testObjectProblems } from './test-object-rule.ts'

const problems = (path: string, text: string): readonly string[] => testObjectProblems([{ path, text }])
const pod = "const pod = {\n  apiVersion: 'v1',\n  kind: 'Pod',\n  metadata: { name: 'a' },\n  spec: {},\n}"

describe('objects in tests', () => {
  test.each([
    ['packages/engine/src/a.test.ts', pod],
    ['tests/simulation/a.ts', "const claim = { apiVersion: version, kind: 'NodeClaim', metadata }"],
    [
      'packages/controllers/src/a.test.ts',
      'const node = { apiVersion: groupVersion(kinds.Node), kind: kinds.Node.kind, metadata }',
    ],
    ['providers/acme/src/a.test.ts', "const made = { apiVersion: version, kind: 'AcmeNodeClass', metadata }"],
    ['packages/sandbox/src/testing/a.ts', "return { apiVersion: 'v1', kind: 'Node', ...rest }"],
  ])('must be created by builders, in %s', (path, text) =>
    expect(problems(path, `\n${text}`)).toEqual([
      expect.stringMatching(new RegExp(`^${path}:[23] an object of a test comes from a builder`)),
    ]),
  )

  test.each([
    ['production code makes objects', 'packages/controllers/src/a.ts', pod],
    ['the subject is the literal', 'packages/apis/src/legacy/a.test.ts', pod],
    ['it is a reference', 'packages/engine/src/a.test.ts', "{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }"],
    ['its kind has no builder', 'packages/engine/src/a.test.ts', "{ apiVersion: 'v1', kind: 'Service', metadata: {} }"],
    [
      'it is the builder itself',
      'providers/acme/src/testing/acme-node-class.ts',
      "return { apiVersion: version, kind: 'AcmeNodeClass', metadata }",
    ],
    ['it is a comment', 'packages/engine/src/a.test.ts', "// { apiVersion: 'v1', kind: 'Pod', metadata: {} }"],
  ])('may be written out if %s', (_, path, text) => expect(problems(path, text)).toEqual([]))
})
