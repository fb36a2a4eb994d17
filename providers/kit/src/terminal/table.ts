import { harmless } from './harmless.ts'
import { clip, padEnd, padStart, textWidth } from './text-width.ts'

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Adds colours to a cell. Called after padding, so that the colours do not affect the layout. */
  readonly paint?: (text: string, row: Row) => string
  /** Whether this column shrinks first if the terminal is too narrow. */
  readonly shrink?: boolean
}

/** The minimum width of a column that shrinks. */
const LEAST_WIDTH = 8

/**
 * Returns the indexes of the columns in the order in which they shrink: first columns with `shrink`, then text columns. Wider columns come
 * first.
 */
const byShrinking = <Row>(columns: readonly Column<Row>[], widths: readonly number[]): readonly number[] =>
  columns
    .map((_, index) => index)
    .filter((index) => columns[index]?.align !== 'right')
    .sort((a, b) => {
      const isFirst = Number(columns[b]?.shrink === true) - Number(columns[a]?.shrink === true)
      return isFirst || (widths[b] ?? 0) - (widths[a] ?? 0)
    })

/**
 * Returns the lines of a table, starting with its header. Columns are as wide as their content, or narrower if the table would otherwise
 * exceed `width` (`terminalWidth` of the output stream).
 */
export const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): readonly string[] => {
  const cells = rows.map((row) => columns.map((column) => harmless(column.value(row))))
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...cells.map((line) => textWidth(line[index] ?? ''))),
  )
  const total = widths.reduce((sum, each) => sum + each, 0) + 2 * (columns.length - 1)
  let excess = total - width
  for (const index of byShrinking(columns, widths)) {
    const cut = Math.min(Math.max(0, excess), Math.max(0, (widths[index] ?? 0) - LEAST_WIDTH))
    widths[index] = (widths[index] ?? 0) - cut
    excess -= cut
  }
  const draw = (line: readonly string[], row: Row | undefined): string =>
    columns
      .map((column, index) => {
        const room = widths[index] ?? 0
        const text = clip(line[index] ?? '', room)
        const padded =
          column.align === 'right' ? padStart(text, room) : index === columns.length - 1 ? text : padEnd(text, room)
        return row === undefined || column.paint === undefined ? padded : column.paint(padded, row)
      })
      .join('  ')
      .trimEnd()
  return [
    draw(
      columns.map((column) => column.title),
      undefined,
    ),
    ...rows.map((row, index) => draw(cells[index] ?? [], row)),
  ]
}
