import type { InstanceType } from '@kerf/engine'
import { kwokVocabulary } from './labels.ts'

/** Returns the labels that NodePools and pods may use because their values differ between instance types or offerings. */
export const wellKnownLabelKeys = (...lists: readonly (readonly InstanceType[])[]): readonly string[] => {
  const keys = new Set(kwokVocabulary.wellKnown)
  for (const instanceTypes of lists) {
    for (const { requirements, offerings } of instanceTypes) {
      for (const { key } of requirements) keys.add(key)
      for (const offering of offerings) for (const { key } of offering.requirements) keys.add(key)
    }
  }
  return [...keys]
}
