import { harmless } from './harmless.ts'
import { clip, padEnd, padStart, textWidth } from './text-width.ts'

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Colour, applied after padding so that it never changes the layout. */
  readonly paint?: (text: string, row: Row) => string
  /** The column that gives way first when the terminal is narrow, and is clipped instead of wrapped. */
  readonly shrink?: boolean
}

/** A column gives way down to this width. */
const LEAST_WIDTH = 8

/** The indexes of the columns in the order in which they give way: the shrinking one, then texts, the widest first. */
const byShrinking = <Row>(columns: readonly Column<Row>[], widths: readonly number[]): readonly number[] =>
  columns
    .map((_, index) => index)
    .filter((index) => columns[index]?.align !== 'right')
    .sort((a, b) => {
      const isFirst = Number(columns[b]?.shrink === true) - Number(columns[a]?.shrink === true)
      return isFirst || (widths[b] ?? 0) - (widths[a] ?? 0)
    })

/** Lines of a table with a head line; columns are as wide as their content, or as `width` leaves (`widthOf` of the stream that gets them). */
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
