import type { Condition } from '@kerf/apis'

/**
 * The list with `condition` in the place of the one of its type, or appended. The transition time is kept while the
 * status stays, so writing the same state twice changes nothing.
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
