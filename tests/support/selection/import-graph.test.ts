import { expect, test } from 'vitest'
import { importGraph, reached } from './import-graph.ts'

const packages = [{ folder: 'engine', name: '@kerf/engine', exports: { '.': './src/index.ts', './x': './src/x.ts' } }]
const graph = importGraph(
  [
    {
      path: 'cli/src/plan.ts',
      text: [
        "import { plan } from '@kerf/engine'",
        "import type { Only } from './types.ts'",
        "export { x } from '@kerf/engine/x'",
        "import fs from 'node:fs'",
        "const later = await import('./later.ts')",
        "const data = new URL('../data/', import.meta.url)",
      ].join('\n'),
    },
    { path: 'engine/src/index.ts', text: "export * from './x.ts'\n" },
    { path: 'engine/src/x.ts', text: "import '../../cli/src/plan.ts'\n" },
  ],
  packages,
)

test('resolves imports of repository files by path or package; ignores types and external packages', () => {
  expect([...(graph.get('cli/src/plan.ts') ?? [])]).toEqual([
    'engine/src/index.ts',
    'engine/src/x.ts',
    'cli/src/later.ts',
    'cli/data/',
  ])
})

test('returns the distance of each reachable file, also in a cycle', () => {
  expect([...reached(graph, ['engine/src/index.ts'])]).toEqual([
    ['engine/src/index.ts', 0],
    ['engine/src/x.ts', 1],
    ['cli/src/plan.ts', 2],
    ['cli/src/later.ts', 3],
    ['cli/data/', 3],
  ])
  expect([...reached(graph, ['cli/src/plan.ts'], (path) => path.startsWith('engine/')).keys()]).toEqual([
    'cli/src/plan.ts',
    'cli/src/later.ts',
    'cli/data/',
  ])
})
