import type { Milliseconds } from '@kerf/apis'

/**
 * The assumed maximum difference between the clocks of a cloud and of the API server. It also covers the rounding of Kubernetes timestamps
 * to seconds.
 */
export const CLOCK_SKEW: Milliseconds = 60_000
