import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { drawn, introductionPath } from './drawn-files.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `// ${line}`).join('\n')
const files = Array.from({ length: 40 }, (_, place) => ({
  path: `packages/engine/src/a/file-${place}.ts`,
  text: lines(50),
}))
const paths = (seed: number, count = 15): readonly string[] =>
  drawn(files, new SeededRandom(seed), count).map(({ path }) => path)

test('the same seed selects the same files, and another seed selects others', () => {
  expect(paths(1)).toEqual(paths(1))
  expect(paths(1)).not.toEqual(paths(2))
  expect(new Set(paths(1)).size).toBe(15)
})

test('returns all files if more are requested than exist', () => {
  expect(paths(1, 100)).toHaveLength(40)
})

test('never selects tests, index files, short files and files that are not shipped', () => {
  const others = [
    { path: 'packages/engine/src/a.test.ts', text: lines(50) },
    { path: 'packages/engine/src/index.ts', text: lines(50) },
    { path: 'packages/engine/src/short.ts', text: lines(5) },
    { path: 'packages/controllers/src/testing/world.ts', text: lines(50) },
    { path: 'tests/benchmarks/day/run.ts', text: lines(50) },
    { path: 'packages/cli/src/verb.ts', text: lines(50) },
  ]
  expect(drawn(others, new SeededRandom(1), 15).map(({ path }) => path)).toEqual(['packages/cli/src/verb.ts'])
})

test('the introduction is the README of the nearest folder, but never the repository’s own', () => {
  const has = (...there: string[]) => introductionPath('packages/engine/src/pods', (path) => there.includes(path))
  expect(has('packages/engine/src/pods/README.md', 'packages/engine/README.md')).toBe(
    'packages/engine/src/pods/README.md',
  )
  expect(has('packages/engine/README.md')).toBe('packages/engine/README.md')
  expect(has('README.md')).toBeUndefined()
})
