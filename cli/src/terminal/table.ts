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

/** Lines of a table with a head line; columns are as wide as their content, the shrinking one as the rest leaves. */
export const table = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): readonly string[] => {
  const cells = rows.map((row) => columns.map((column) => harmless(column.value(row))))
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...cells.map((line) => textWidth(line[index] ?? ''))),
  )
  const total = widths.reduce((sum, each) => sum + each, 0) + 2 * (columns.length - 1)
  const shrinking = columns.findIndex((column) => column.shrink === true)
  const current = widths[shrinking]
  if (total > width && current !== undefined) widths[shrinking] = Math.max(8, current - (total - width))
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
