import type { Toleration } from '@kerf/apis'

/** The toleration that relaxation adds in its last step. Daemons always have it. */
export const toleratePreferNoSchedule: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' }
