import type { Milliseconds } from '@kerf/apis'

/** How soon what was left because clocks differ is looked at again (`docs/spec/time.md#clocks-that-differ`). */
export const CLOCK_RETRY: Milliseconds = 5_000

/** The reason of a condition and of an event that say so. */
export const CLOCKS_DIFFER = 'ClocksDiffer'
