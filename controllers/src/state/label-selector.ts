import type { LabelSelector } from '@kerf/apis'

/** Whether labels match a selector; an absent selector matches nothing, an empty one everything. */
export const matchesSelector = (
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> = {},
): boolean => {
  if (selector === undefined) return false
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (labels[key] !== value) return false
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key]
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value)
      case 'NotIn':
        return value === undefined || !values.includes(value)
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      default:
        return false
    }
  })
}
