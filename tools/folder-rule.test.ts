import { expect, test } from 'vitest'
import { folderProblems } from './folder-rule.ts'

const problems = (sources: Readonly<Record<string, string>>) =>
  folderProblems(
    Object.entries(sources).map(([path, text]) => ({ path, text })),
    ['packages/engine/src'],
  )
const circle = {
  'packages/engine/src/a/one.ts': "import { two } from '../b/two.ts'",
  'packages/engine/src/b/two.ts': "import type { One } from '../c/three.ts'",
  'packages/engine/src/c/three.ts': "const { one } = await import('../a/one.ts')",
}

test('allows imports of lower folders, and ignores tests, comments and the package’s own index', () => {
  expect(
    problems({
      ...circle,
      'packages/engine/src/c/three.ts': "// import { one } from '../a/one.ts'\nexport const three = 3",
      'packages/engine/src/c/three.test.ts': "import { one } from '../a/one.ts'",
      'packages/engine/src/index.ts': "export * from './a/one.ts'\nexport * from './c/three.ts'",
    }),
  ).toEqual([])
})

test('reports every folder of a cycle with the import that closes it, including type imports and dynamic imports', () => {
  expect(problems(circle)).toEqual([
    'packages/engine/src/a is on an import cycle: a/one.ts imports b/two.ts',
    'packages/engine/src/b is on an import cycle: b/two.ts imports c/three.ts',
    'packages/engine/src/c is on an import cycle: c/three.ts imports a/one.ts',
  ])
})

test('a file next to the folders can close a cycle', () => {
  expect(
    problems({
      'packages/engine/src/a/one.ts': "import { top } from '../top.ts'",
      'packages/engine/src/top.ts': "import { one } from './a/one.ts'",
    }),
  ).toEqual(['packages/engine/src/a is on an import cycle: a/one.ts imports top.ts'])
})

test('a folder must not import the package’s own index', () => {
  expect(problems({ 'packages/engine/src/a/one.ts': "import { two } from '../index.ts'" })).toEqual([
    'packages/engine/src/a imports index.ts: import the file itself',
  ])
})

test('folders inside the same folder are compared as well, at any depth', () => {
  expect(
    problems({
      'packages/engine/src/a/x/one.ts': "import { two } from '../y/two.ts'",
      'packages/engine/src/a/y/two.ts': "import { one } from '../x/one.ts'",
    }),
  ).toEqual([
    'packages/engine/src/a/x is on an import cycle: a/x/one.ts imports a/y/two.ts',
    'packages/engine/src/a/y is on an import cycle: a/y/two.ts imports a/x/one.ts',
  ])
})

test('top-level folders that only group others may import each other, unless the folders inside them form a cycle', () => {
  const grouped = (back: string) =>
    folderProblems(
      Object.entries({
        'packages/controllers/src/pod/x/one.ts': "import { two } from '../../node/y/two.ts'",
        'packages/controllers/src/node/y/two.ts': `import { three } from '${back}'`,
        'packages/controllers/src/pod/z/three.ts': 'export const three = 3',
      }).map(([path, text]) => ({ path, text })),
      ['packages/controllers/src'],
    )
  expect(grouped('../../pod/z/three.ts')).toEqual([])
  expect(grouped('../../pod/x/one.ts')).toHaveLength(2)
})
