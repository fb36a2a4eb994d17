import { describe, expect, test } from 'vitest'
import { anchorsOf, referenceProblems, uncheckedReferences } from './reference-rule.ts'

const aws = { path: 'docs/spec/aws.md', text: '# AWS\n\n## Launch templates\n\n- <a id="case-7"></a>one\n' }
const repository = {
  has: (path: string): boolean =>
    ['docs/spec/aws.md', 'docs/spec', 'README.md', 'packages/engine/src/a.ts'].includes(path),
}
const problems = (path: string, text: string): readonly string[] => referenceProblems([aws, { path, text }], repository)

describe('references to pages of docs/', () => {
  test.each([
    ['packages/engine/src/a.ts', '/** As `docs/spec/aws.md#launch-templates` says. */'],
    ['packages/engine/src/a.ts', '// docs/spec/aws.md, docs/spec/aws.md#case-7.'],
    ['packages/engine/src/a.ts', '// docs/guides/NAME.md is a guide'],
    ['packages/engine/src/a.ts', "const page = 'https://example.com/docs/nowhere.md'"],
    ['README.md', '[templates](docs/spec/aws.md#launch-templates), [pages](docs/spec/), [itself](#here)\n\n# Here'],
    [
      'docs/spec/aws.md',
      '# AWS\n[above](../../README.md) [elsewhere](https://example.com/x.md#y) [mail](mailto:a@example.com)',
    ],
    ['README.md', '`[no link](nowhere.md)` and\n\n```\n[none](nowhere.md) # either\n```\n'],
  ])('%s may say %j', (path, text) => expect(problems(path, text)).toEqual([]))

  test.each([
    [
      'packages/engine/src/a.ts',
      '\n// docs/spec/aws.md#templates',
      'packages/engine/src/a.ts:2 docs/spec/aws.md#templates: docs/spec/aws.md has no heading #templates',
    ],
    [
      'packages/engine/src/a.ts',
      '// providers/aws/docs/spec/nowhere.md',
      'packages/engine/src/a.ts:1 providers/aws/docs/spec/nowhere.md: there is no providers/aws/docs/spec/nowhere.md',
    ],
    [
      'packages/engine/src/a.ts',
      '// docs/spec/azure.md',
      'packages/engine/src/a.ts:1 docs/spec/azure.md: there is no docs/spec/azure.md',
    ],
    [
      'packages/engine/src/a.ts',
      '// tests/benchmarks/HISTORY.md',
      'packages/engine/src/a.ts:1 tests/benchmarks/HISTORY.md: there is no tests/benchmarks/HISTORY.md',
    ],
    [
      'README.md',
      '\n\n[x](docs/spec/aws.md#launch)',
      'README.md:3 docs/spec/aws.md#launch: docs/spec/aws.md has no heading #launch',
    ],
    [
      'README.md',
      '[x](packages/engine/src/b.ts)',
      'README.md:1 packages/engine/src/b.ts: there is no packages/engine/src/b.ts',
    ],
    ['README.md', '# Here\n[x](#there)', 'README.md:2 #there: README.md has no heading #there'],
    ['docs/spec/aws.md', '[x](../aws.md)', 'docs/spec/aws.md:1 ../aws.md: there is no docs/aws.md'],
  ])('%s may not say %j', (path, text, problem) => expect(problems(path, text)).toContain(problem))
})

test('anchors of a page are those that GitHub gives', () => {
  const page = '# A `code` & b\n## Same\n## Same\n### [Link](x.md): d_e-f\n<a id="own"></a>\n```\n# no heading\n```\n'
  expect([...anchorsOf(page)]).toEqual(['own', 'a-code--b', 'same', 'same-1', 'link-d_e-f'])
})

describe('references that nobody can follow', () => {
  const found = (text: string): readonly string[] => uncheckedReferences([{ path: 'a.ts', text }])

  test.each([
    `// ${'spec'}/aws.md 2.7`,
    `test('a log line (core-${'api'}.md)')`,
    `describe('candidates (\u00a77.1)')`,
    `test('edge ${42}: who failed is tried again')`,
    `test('a bound loses exclusions (edge case ${27})')`,
    `test('51, ${'F4'}: the limit on nodes is exact')`,
  ])('%s', (text) => expect(found(`\n${text}`)).toEqual([expect.stringMatching(/^a\.ts:2 /)]))

  test.each([
    '// docs/spec/aws.md#launch-templates',
    '// docs/spec/scheduling-edge-cases.md#case-42',
    'const background = "#F1F5F9"',
    'the edges 1 and 2 of a graph',
  ])('but not %s', (text) => expect(found(text)).toEqual([]))
})
