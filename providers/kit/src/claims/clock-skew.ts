import type { Milliseconds } from '@kerf/apis'

/** By how much the clocks of a cloud and of the API server may differ. Times of Kubernetes end at the second besides. */
export const CLOCK_SKEW: Milliseconds = 60_000
