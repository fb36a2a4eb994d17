import type { InstanceType } from '@kerf/engine'
import { kwokVocabulary } from './labels.ts'

/** The label keys of each list of instance types. A list of a cloud has tens of thousands of requirements and does not change. */
const keysOfList = new WeakMap<readonly InstanceType[], ReadonlySet<string>>()

const labelKeys = (instanceTypes: readonly InstanceType[]): ReadonlySet<string> => {
  const known = keysOfList.get(instanceTypes)
  if (known !== undefined) return known
  const keys = new Set<string>()
  for (const { requirements, offerings } of instanceTypes) {
    for (const { key } of requirements) keys.add(key)
    for (const offering of offerings) for (const { key } of offering.requirements) keys.add(key)
  }
  keysOfList.set(instanceTypes, keys)
  return keys
}

/** Returns the labels that NodePools and pods may use because their values differ between instance types or offerings. */
export const wellKnownLabelKeys = (...lists: readonly (readonly InstanceType[])[]): readonly string[] => {
  const keys = new Set(kwokVocabulary.wellKnown)
  for (const instanceTypes of lists) for (const key of labelKeys(instanceTypes)) keys.add(key)
  return [...keys]
}
