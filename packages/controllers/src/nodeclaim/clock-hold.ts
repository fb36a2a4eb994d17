import type { Milliseconds } from '@kerf/apis'

/** How soon Kerf retries work that it skipped because clocks differ (`docs/spec/time.md#clocks-that-differ`). */
export const CLOCK_RETRY: Milliseconds = 5_000

/** The reason in conditions and Events when clocks differ. */
export const CLOCKS_DIFFER = 'ClocksDiffer'
