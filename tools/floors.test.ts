import { expect, test } from 'vitest'
import { importEdges } from './folder-rule.ts'
import { folderFloors } from './generators/structure.ts'

test('a folder’s floor is one above the highest floor that it imports, even through a file next to the folders', () => {
  const sources = {
    'packages/engine/src/top/a.ts': "import { b } from '../middle/b.ts'\nimport { c } from '../bottom/c.ts'",
    'packages/engine/src/middle/b.ts': "import { d } from '../beside.ts'",
    'packages/engine/src/beside.ts': "import { c } from './bottom/c.ts'",
    'packages/engine/src/bottom/c.ts': 'export const c = 1',
  }
  const files = Object.entries(sources).map(([path, text]) => ({ path, text }))
  const floors = folderFloors(importEdges(files, 'packages/engine/src'), ['top', 'middle', 'bottom'])
  expect([floors.get('top'), floors.get('middle'), floors.get('bottom')]).toEqual([2, 1, 0])
})
