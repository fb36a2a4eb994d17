import { expect, test } from 'vitest'
import { importGraph, reached } from './import-graph.ts'

const packages = [
  { folder: 'packages/engine', name: '@kerf/engine', exports: { '.': './src/index.ts', './x': './src/x.ts' } },
]
const graph = importGraph(
  [
    {
      path: 'packages/cli/src/plan.ts',
      text: [
        "import { plan } from '@kerf/engine'",
        "import type { Only } from './types.ts'",
        "export { x } from '@kerf/engine/x'",
        "import fs from 'node:fs'",
        "const later = await import('./later.ts')",
        "const data = new URL('../data/', import.meta.url)",
      ].join('\n'),
    },
    { path: 'packages/engine/src/index.ts', text: "export * from './x.ts'\n" },
    { path: 'packages/engine/src/x.ts', text: "import '../../cli/src/plan.ts'\n" },
  ],
  packages,
)

test('resolves imports of repository files by path or package, and ignores types and external packages', () => {
  expect([...(graph.get('packages/cli/src/plan.ts') ?? [])]).toEqual([
    'packages/engine/src/index.ts',
    'packages/engine/src/x.ts',
    'packages/cli/src/later.ts',
    'packages/cli/data/',
  ])
})

test('returns the distance of each reachable file, even if imports form a cycle', () => {
  expect([...reached(graph, ['packages/engine/src/index.ts'])]).toEqual([
    ['packages/engine/src/index.ts', 0],
    ['packages/engine/src/x.ts', 1],
    ['packages/cli/src/plan.ts', 2],
    ['packages/cli/src/later.ts', 3],
    ['packages/cli/data/', 3],
  ])
  expect([
    ...reached(graph, ['packages/cli/src/plan.ts'], (path) => path.startsWith('packages/engine/')).keys(),
  ]).toEqual(['packages/cli/src/plan.ts', 'packages/cli/src/later.ts', 'packages/cli/data/'])
})
