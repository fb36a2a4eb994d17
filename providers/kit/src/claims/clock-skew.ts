import type { Milliseconds } from '@kerf/apis'

/**
 * The largest assumed difference between the clocks of a cloud and the API server. Kubernetes timestamps are also rounded to
 * seconds.
 */
export const CLOCK_SKEW: Milliseconds = 60_000
