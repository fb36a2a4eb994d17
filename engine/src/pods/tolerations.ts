import type { Toleration } from '@kerf/apis'

/** What relaxation adds last, and what daemons have from the start. */
export const toleratePreferNoSchedule: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' }
