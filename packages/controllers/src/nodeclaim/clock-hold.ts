import type { Milliseconds } from '@kerf/apis'

/** How soon work that was skipped because clocks differ is tried again (`docs/spec/time.md#clocks-that-differ`). */
export const CLOCK_RETRY: Milliseconds = 5_000

/** The reason of the condition and of the event for clocks that differ. */
export const CLOCKS_DIFFER = 'ClocksDiffer'
