import { expect, test } from 'vitest'
import { styleFor } from './style.ts'
import { table } from './table.ts'
import { textWidth } from './text-width.ts'

const rows = [{ pod: `shop/${'w'.repeat(60)}`, why: 'no NodePool '.repeat(10), count: '12' }]
const columns = [
  { title: 'POD', value: (row: (typeof rows)[0]) => row.pod },
  { title: 'PODS', value: (row: (typeof rows)[0]) => row.count, align: 'right' as const },
  { title: 'WHY', value: (row: (typeof rows)[0]) => row.why },
]

test('a table fits the width of the terminal: texts are cut, but numbers are not', () => {
  for (const width of [200, 100, 60, 30]) {
    const lines = table(rows, columns, styleFor({ isTTY: true, columns: width }, {}).width)
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width)
    expect(lines[1]).toContain(' 12 ')
  }
})

test('shrinks the column marked with shrink first, then the widest text column, and never numbers', () => {
  const row = { name: 'n'.repeat(20), text: 't'.repeat(30), amount: '1,234,567,890,123', last: 'l'.repeat(12) }
  const cells = (width: number, shrink: keyof typeof row | undefined) =>
    table(
      [row],
      (['name', 'amount', 'text', 'last'] as const).map((key) => ({
        title: key.toUpperCase(),
        value: (each: typeof row) => each[key],
        ...(key === 'amount' ? { align: 'right' as const } : {}),
        ...(key === shrink ? { shrink: true } : {}),
      })),
      width,
    )[1]
      ?.split('  ')
      .map((cell) => cell.trim().length)
  expect(cells(80, undefined)).toEqual([20, 17, 25, 12])
  expect(cells(80, 'name')).toEqual([15, 17, 30, 12])
  expect(cells(45, undefined)).toEqual([8, 17, 8, 8])
})

test('cuts nothing in a pipe', () => {
  const [, line] = table(rows, columns, styleFor({ columns: 60 }, { FORCE_COLOR: '1' }).width)
  expect(line).toContain(rows[0]?.pod)
  expect(line).toContain(rows[0]?.why.trim())
})
