import { expect, test } from 'vitest'
import { conflictMarkProblems } from './conflict-mark-rule.ts'

const open = (side: string): string => side.repeat(7)

test('reports each marker line of a git conflict, and no other line', () => {
  const text = [
    'a',
    `${open('<')} HEAD`,
    'b',
    `${open('|')} base`,
    open('='),
    'c',
    `${open('>')} theirs`,
    '  >>>>>>> quoted',
  ].join('\n')
  expect(conflictMarkProblems([{ path: 'CHANGELOG.md', text }])).toEqual([
    `CHANGELOG.md:2: a conflict of a merge is left: ${open('<')} HEAD`,
    `CHANGELOG.md:4: a conflict of a merge is left: ${open('|')} base`,
    `CHANGELOG.md:7: a conflict of a merge is left: ${open('>')} theirs`,
  ])
  expect(conflictMarkProblems([{ path: 'README.md', text: 'Heading\n=======\n' }])).toEqual([])
})
