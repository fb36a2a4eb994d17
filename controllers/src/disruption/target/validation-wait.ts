import type { Milliseconds } from '@kerf/apis'

/** How long a consolidation must stay right before it is begun. */
export const VALIDATION_WAIT: Milliseconds = 15_000
