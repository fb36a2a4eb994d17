import type { Condition } from '@kerf/apis'
import { START_TIME } from './start-time.ts'

/** A condition of an object's first generation; its reason is its type unless given. */
export const condition = (type: string, status: Condition['status'] = 'True', reason = type): Condition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: START_TIME,
  observedGeneration: 1,
})
