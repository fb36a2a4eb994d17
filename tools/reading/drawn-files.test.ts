import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { drawn, introductionPath } from './drawn-files.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `// ${line}`).join('\n')
const files = Array.from({ length: 40 }, (_, place) => ({ path: `engine/src/a/file-${place}.ts`, text: lines(50) }))
const paths = (seed: number, count = 15): readonly string[] =>
  drawn(files, new SeededRandom(seed), count).map(({ path }) => path)

test('the same seed draws the same files, and another seed draws others', () => {
  expect(paths(1)).toEqual(paths(1))
  expect(paths(1)).not.toEqual(paths(2))
  expect(new Set(paths(1)).size).toBe(15)
})

test('a draw of more files than exist returns all of them', () => {
  expect(paths(1, 100)).toHaveLength(40)
})

test('tests, index files, short files and files that are not shipped are not drawn', () => {
  const others = [
    { path: 'engine/src/a.test.ts', text: lines(50) },
    { path: 'engine/src/index.ts', text: lines(50) },
    { path: 'engine/src/short.ts', text: lines(5) },
    { path: 'controllers/src/testing/world.ts', text: lines(50) },
    { path: 'bench/day/run.ts', text: lines(50) },
    { path: 'cli/src/verb.ts', text: lines(50) },
  ]
  expect(drawn(others, new SeededRandom(1), 15).map(({ path }) => path)).toEqual(['cli/src/verb.ts'])
})

test('the introduction is the README of the nearest folder, but not the one of the repository', () => {
  const has = (...there: string[]) => introductionPath('engine/src/pods', (path) => there.includes(path))
  expect(has('engine/src/pods/README.md', 'engine/README.md')).toBe('engine/src/pods/README.md')
  expect(has('engine/README.md')).toBe('engine/README.md')
  expect(has('README.md')).toBeUndefined()
})
