import { describe, expect, test } from 'vitest'
import { pageAnchors, referenceProblems, uncheckedReferences } from './reference-rule.ts'

const acme = { path: 'docs/spec/acme.md', text: '# Acme\n\n## Launch templates\n\n- <a id="case-7"></a>one\n' }
const repository = {
  has: (path: string): boolean =>
    ['docs/spec/acme.md', 'docs/spec', 'README.md', 'packages/engine/src/a.ts'].includes(path),
}
const problems = (path: string, text: string): readonly string[] =>
  referenceProblems([acme, { path, text }], repository)

describe('references to pages of docs/', () => {
  test.each([
    ['packages/engine/src/a.ts', '/** As `docs/spec/acme.md#launch-templates` says. */'],
    ['packages/engine/src/a.ts', '// docs/spec/acme.md, docs/spec/acme.md#case-7.'],
    ['packages/engine/src/a.ts', '// docs/guides/NAME.md is a guide'],
    ['packages/engine/src/a.ts', "const page = 'https://example.com/docs/nowhere.md'"],
    ['README.md', '[templates](docs/spec/acme.md#launch-templates), [pages](docs/spec/), [itself](#here)\n\n# Here'],
    [
      'docs/spec/acme.md',
      '# Acme\n[above](../../README.md) [elsewhere](https://example.com/x.md#y) [mail](mailto:a@example.com)',
    ],
    ['README.md', '`[no link](nowhere.md)` and\n\n```\n[none](nowhere.md) # either\n```\n'],
  ])('%s may contain %j', (path, text) => expect(problems(path, text)).toEqual([]))

  test.each([
    [
      'packages/engine/src/a.ts',
      '\n// docs/spec/acme.md#templates',
      'packages/engine/src/a.ts:2 docs/spec/acme.md#templates: docs/spec/acme.md has no heading #templates',
    ],
    [
      'packages/engine/src/a.ts',
      '// providers/acme/docs/spec/nowhere.md',
      'packages/engine/src/a.ts:1 providers/acme/docs/spec/nowhere.md: there is no providers/acme/docs/spec/nowhere.md',
    ],
    [
      'packages/engine/src/a.ts',
      '// docs/spec/umbra.md',
      'packages/engine/src/a.ts:1 docs/spec/umbra.md: there is no docs/spec/umbra.md',
    ],
    [
      'packages/engine/src/a.ts',
      '// tests/benchmarks/HISTORY.md',
      'packages/engine/src/a.ts:1 tests/benchmarks/HISTORY.md: there is no tests/benchmarks/HISTORY.md',
    ],
    [
      'README.md',
      '\n\n[x](docs/spec/acme.md#launch)',
      'README.md:3 docs/spec/acme.md#launch: docs/spec/acme.md has no heading #launch',
    ],
    [
      'README.md',
      '[x](packages/engine/src/b.ts)',
      'README.md:1 packages/engine/src/b.ts: there is no packages/engine/src/b.ts',
    ],
    ['README.md', '# Here\n[x](#there)', 'README.md:2 #there: README.md has no heading #there'],
    ['docs/spec/acme.md', '[x](../acme.md)', 'docs/spec/acme.md:1 ../acme.md: there is no docs/acme.md'],
  ])('%s must not contain %j', (path, text, problem) => expect(problems(path, text)).toContain(problem))
})

test('a page has the same anchors as on GitHub', () => {
  const page = '# A `code` & b\n## Same\n## Same\n### [Link](x.md): d_e-f\n<a id="own"></a>\n```\n# no heading\n```\n'
  expect([...pageAnchors(page)]).toEqual(['own', 'a-code--b', 'same', 'same-1', 'link-d_e-f'])
})

describe('references that no reader can follow', () => {
  const found = (text: string): readonly string[] => uncheckedReferences([{ path: 'a.ts', text }])

  test.each([
    `// ${'spec'}/acme.md 2.7`,
    `test('a log line (core-${'api'}.md)')`,
    `describe('candidates (\u00a77.1)')`,
    `test('edge ${42}: who failed is tried again')`,
    `test('a bound loses exclusions (edge case ${27})')`,
    `test('51, ${'F4'}: the limit on nodes is exact')`,
  ])('%s', (text) => expect(found(`\n${text}`)).toEqual([expect.stringMatching(/^a\.ts:2 /)]))

  test.each([
    '// docs/spec/acme.md#launch-templates',
    '// docs/spec/scheduling-edge-cases.md#case-42',
    'const background = "#F1F5F9"',
    'the edges 1 and 2 of a graph',
  ])('but %s is accepted', (text) => expect(found(text)).toEqual([]))
})
