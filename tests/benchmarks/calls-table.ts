import type { PeriodCounts } from './call-counts.ts'

const number = (size: number): string => size.toLocaleString('en-US')

/** Returns one row for each call, and a last row with the calls per minute. `head` and `plural` are the page's words for a call. */
export const callsTable = (
  sizes: readonly number[],
  recordedOf: (size: number) => PeriodCounts | undefined,
  { head, plural }: { readonly head: string; readonly plural: string },
): string => {
  const columns = (['firstMinute', 'steady'] as const).flatMap((period) =>
    sizes.map((size) => ({
      title: `${period === 'steady' ? 'steady hour' : 'first minute'}, ${number(size)} nodes`,
      minutes: period === 'steady' ? 60 : 1,
      counts: recordedOf(size)?.[period] ?? {},
    })),
  )
  const calls = [...new Set(columns.flatMap(({ counts }) => Object.keys(counts)))].sort()
  const totals = columns.map(({ counts, minutes }) => {
    const sum = Object.values(counts).reduce((all, count) => all + count, 0)
    return (sum / minutes).toFixed(1)
  })
  const rows = [
    [head, ...columns.map(({ title }) => title)],
    ['---', ...columns.map(() => '---:')],
    ...calls.map((call) => [`\`${call}\``, ...columns.map(({ counts }) => `${counts[call] ?? 0}`)]),
    [`**${plural} a minute**`, ...totals],
  ]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
