import { expect, test } from 'vitest'
import { readmeProblems } from './readme-rule.ts'

/** Returns the problems of a repository with these files. The values are their numbers of lines. */
const problems = (files: Readonly<Record<string, number>>): readonly string[] =>
  readmeProblems(Object.keys(files), (path) => files[path] ?? 0)

test('each folder on the first two levels needs a README, and deeper folders do not', () => {
  expect(problems({ 'a/b/c/d.ts': 9, 'a/README.md': 3, 'package.json': 5 })).toEqual([
    'a/b has no README.md: say what is here, what it may import, and where to begin reading',
  ])
  expect(problems({ 'a/b/c/d.ts': 9, 'a/README.md': 3, 'a/b/README.md': 3 })).toEqual([])
})

test('a folder whose name begins with a dot needs none', () => {
  expect(problems({ '.github/workflows/check.yml': 9, 'a/.cache/b': 9, 'a/README.md': 3 })).toEqual([])
})

test('a README may have at most fifteen lines, unless it is an index page of the site', () => {
  expect(problems({ 'a/README.md': 15, 'docs/README.md': 99, 'docs/spec/README.md': 99 })).toEqual([])
  expect(problems({ 'a/README.md': 16, 'a/b/c/README.md': 99, 'a/b/README.md': 2 })).toEqual([
    'a/README.md has 16 lines, more than 15: move the details into a page beside it',
  ])
})
