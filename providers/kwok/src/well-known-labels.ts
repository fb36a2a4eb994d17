import type { InstanceType } from '@kerf/engine'
import { INSTANCE_CPU_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_MEMORY_LABEL, INSTANCE_SIZE_LABEL } from './labels.ts'

/** The labels that pools and pods may ask for because instance types or offerings differ in them. */
export const wellKnownLabelsOf = (...lists: readonly (readonly InstanceType[])[]): readonly string[] => {
  const keys = new Set([INSTANCE_SIZE_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_CPU_LABEL, INSTANCE_MEMORY_LABEL])
  for (const instanceTypes of lists) {
    for (const { requirements, offerings } of instanceTypes) {
      for (const { key } of requirements) keys.add(key)
      for (const offering of offerings) for (const { key } of offering.requirements) keys.add(key)
    }
  }
  return [...keys]
}
