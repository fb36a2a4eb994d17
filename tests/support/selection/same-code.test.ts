import { expect, test } from 'vitest'
import { isSameCode } from './same-code.ts'

const before = `import { a } from '../old/folder/a.ts'\n/** Old. */\nexport const f = (x: number) => a(x) // why\n`

test.each([
  ['a comment', before.replace('Old.', 'New.').replace(' // why', '')],
  ['a type', before.replace('x: number', 'x: string')],
  ['blank space', before.replace('a(x)', 'a( x )')],
  ['the folder of an import', before.replace('../old/folder/', './')],
])('%s does not change behavior', (_, after) => {
  expect(isSameCode('a.ts', before, after)).toBe(true)
})

test.each([
  ['a value', 'a.ts', before.replace('a(x)', 'a(x + 1)')],
  ['the name of an imported file', 'a.ts', before.replace('a.ts', 'b.ts')],
  ['a comment in a string', 'a.ts', before.replace('a(x)', "a('// x')")],
  ['what cannot be read', 'a.ts', `${before}}`],
])('%s changes behavior', (_, path, after) => {
  expect(isSameCode(path, before, after)).toBe(false)
})
