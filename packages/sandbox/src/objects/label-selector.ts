import type { LabelSelector, LabelSelectorRequirement } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

export type LabelSet = Readonly<Record<string, string>>

const NO_LABELS: LabelSet = {}

const holds = (requirement: LabelSelectorRequirement, labels: LabelSet): boolean => {
  const value = ownValue(labels, requirement.key)
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && (requirement.values ?? []).includes(value)
    case 'NotIn':
      return value === undefined || !(requirement.values ?? []).includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
  }
}

/** Returns a predicate on labels. An absent selector matches nothing, and an empty one matches everything. */
export const selecting = (selector: LabelSelector | undefined): ((labels: LabelSet | undefined) => boolean) => {
  if (selector === undefined) return () => false
  const { matchLabels = NO_LABELS, matchExpressions = [] } = selector
  const wanted = Object.entries(matchLabels)
  return (labels = NO_LABELS) => {
    for (const [key, value] of wanted) if (ownValue(labels, key) !== value) return false
    for (const requirement of matchExpressions) if (!holds(requirement, labels)) return false
    return true
  }
}
