import type { Condition } from '@kerf/apis'

/**
 * Returns the list with `condition` in place of the condition of the same type, or appended if there is none. If the status is unchanged,
 * the transition time is kept, so that writing an unchanged condition has no effect.
 */
export const withCondition = <C extends Condition>(conditions: readonly C[] | undefined, condition: C): C[] => {
  const list = [...(conditions ?? [])]
  const index = list.findIndex((present) => present.type === condition.type)
  const present = list[index]
  if (present === undefined) {
    list.push(condition)
    return list
  }
  const moved =
    present.status === condition.status && present.lastTransitionTime !== undefined
      ? { ...condition, lastTransitionTime: present.lastTransitionTime }
      : condition
  list[index] = moved
  return list
}
