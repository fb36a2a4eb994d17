/**
 * What bench:aws-calls, bench:azure-calls and bench:cluster-api-calls share: calls are counted in the first minute and in a steady
 * hour, and no count may be above the one that was recorded.
 */

const MINUTES_AN_HOUR = 60
export const MINUTE = 60_000
export const HOUR = MINUTES_AN_HOUR * MINUTE
/** The steady hour begins this long after the start. */
export const SETTLED = 10 * MINUTE

/** The calls in some time, by name. */
export type Counts = Readonly<Record<string, number>>

export interface PeriodCounts {
  readonly firstMinute: Counts
  readonly steady: Counts
}

interface Call {
  /** As the clock that counts steadily tells it. */
  readonly at: number
  readonly name: string
}

/** The calls of a Kerf that was started at `start`; the steady time begins `settled` after that. */
export const periodCounts = (
  calls: readonly Call[],
  start: number,
  { settled, steady }: { readonly settled: number; readonly steady: number },
): PeriodCounts => {
  const counts = (from: number, until: number): Counts => {
    const found: Record<string, number> = {}
    for (const { at, name } of calls) if (at >= start + from && at < start + until) found[name] = (found[name] ?? 0) + 1
    return found
  }
  return { firstMinute: counts(0, MINUTE), steady: counts(settled, settled + steady) }
}

/** Every count of `measured` that is above its threshold. The threshold of a call without a count is 0. */
export const aboveThreshold = (measured: Counts, thresholdOf: (call: string) => number): readonly string[] =>
  Object.entries(measured)
    .filter(([call, count]) => count > thresholdOf(call))
    .map(([call, count]) => `${call}: ${count}, and not more than ${thresholdOf(call)} are allowed`)

/** What part of an hour may have of its `count`: of what comes at intervals, one more than its share. */
export const shareOfHour = (count: number, minutes: number): number =>
  Math.min(count, Math.ceil((count * minutes) / MINUTES_AN_HOUR) + 1)

/** A line for each call: its name, its count in the first minute and in the steady time. */
export const countLines = ({ firstMinute, steady }: PeriodCounts): string =>
  [...new Set([...Object.keys(firstMinute), ...Object.keys(steady)])]
    .sort()
    .map(
      (call) => `${call.padEnd(44)}${`${firstMinute[call] ?? 0}`.padStart(6)}${`${steady[call] ?? 0}`.padStart(8)}\n`,
    )
    .join('')

/** What of both periods is above its recorded count; nothing is allowed of what was not recorded. */
export const aboveRecorded = (measured: PeriodCounts, recorded: PeriodCounts | undefined): readonly string[] =>
  (['firstMinute', 'steady'] as const).flatMap((period) =>
    aboveThreshold(measured[period], (call) => recorded?.[period][call] ?? 0).map((each) => `${period}: ${each}`),
  )
