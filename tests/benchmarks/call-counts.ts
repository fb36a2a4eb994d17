/**
 * Shared by the providers' benchmarks of cloud calls (`providers/NAME/bench/`). They count calls in the first minute and in an hour of
 * steady operation. No count may exceed the recorded one.
 */

const MINUTES_AN_HOUR = 60
export const MINUTE = 60_000
export const HOUR = MINUTES_AN_HOUR * MINUTE
/** How long after the start the steady hour begins. */
export const SETTLED = 10 * MINUTE

/** The number of calls in a period, by name. */
export type Counts = Readonly<Record<string, number>>

export interface PeriodCounts {
  readonly firstMinute: Counts
  readonly steady: Counts
}

/** A call of Kerf. */
export interface Call {
  /** The time of the call, in milliseconds of the monotonic clock. */
  readonly at: number
  readonly name: string
}

/** Counts the calls of a Kerf process that started at `start`. Steady operation begins `settled` later. */
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

/** Returns every count in `measured` that exceeds its threshold. A call that was not recorded has a threshold of 0. */
export const aboveThreshold = (measured: Counts, thresholdOf: (call: string) => number): readonly string[] =>
  Object.entries(measured)
    .filter(([call, count]) => count > thresholdOf(call))
    .map(([call, count]) => `${call}: ${count}, and not more than ${thresholdOf(call)} are allowed`)

/**
 * Returns how many calls are allowed in this many minutes, given an hour's `count`. A periodic call may occur once more than its
 * proportional share.
 */
export const shareOfHour = (count: number, minutes: number): number =>
  Math.min(count, Math.ceil((count * minutes) / MINUTES_AN_HOUR) + 1)

/** Returns one line for each call: its name, and its counts in the first minute and in steady operation. */
export const countLines = ({ firstMinute, steady }: PeriodCounts): string =>
  [...new Set([...Object.keys(firstMinute), ...Object.keys(steady)])]
    .sort()
    .map(
      (call) => `${call.padEnd(44)}${`${firstMinute[call] ?? 0}`.padStart(6)}${`${steady[call] ?? 0}`.padStart(8)}\n`,
    )
    .join('')

/** Returns the counts of both periods that exceed the recorded ones. Calls that were not recorded are not allowed. */
export const aboveRecorded = (measured: PeriodCounts, recorded: PeriodCounts | undefined): readonly string[] =>
  (['firstMinute', 'steady'] as const).flatMap((period) =>
    aboveThreshold(measured[period], (call) => recorded?.[period][call] ?? 0).map((each) => `${period}: ${each}`),
  )
