import type { Toleration } from '@kerf/apis'

/** The toleration that relaxation adds last, and that daemons have from the start. */
export const toleratePreferNoSchedule: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' }
