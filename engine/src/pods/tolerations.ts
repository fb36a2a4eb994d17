import type { Taint, Toleration } from '@kerf/apis'
import { integerOf } from '../requirements/integer-text.ts'

const matches = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  const wanted = toleration.value ?? ''
  const value = taint.value ?? ''
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return wanted === value
    case 'Exists':
      return true
    case 'Lt':
    case 'Gt': {
      const limit = integerOf(wanted)
      const actual = integerOf(value)
      if (limit === undefined || actual === undefined) return false
      return toleration.operator === 'Lt' ? actual < limit : actual > limit
    }
    default:
      return false
  }
}

/** The first taint that no toleration matches, `undefined` if all are tolerated. All effects count (`spec/scheduling.md` 3.8). */
export const untoleratedTaint = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[] = [],
): Taint | undefined => taints.find((taint) => !tolerations.some((toleration) => matches(toleration, taint)))

export const tolerates = (taints: readonly Taint[], tolerations: readonly Toleration[] | undefined): boolean =>
  taints.length === 0 || untoleratedTaint(taints, tolerations) === undefined

/** What relaxation adds last, and what daemons have from the start. */
export const toleratePreferNoSchedule: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' }
