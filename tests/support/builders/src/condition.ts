import type { Condition } from '@kerf/apis'
import { START_TIME } from './start-time.ts'

/** Returns a condition for generation 1 of an object. By default, the reason equals the type. */
export const condition = (type: string, status: Condition['status'] = 'True', reason = type): Condition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: START_TIME,
  observedGeneration: 1,
})
