import type { InstanceType } from '@kerf/engine'
import { INSTANCE_CPU_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_MEMORY_LABEL, INSTANCE_SIZE_LABEL } from './labels.ts'

/** The labels that pools and pods may ask for because the catalogue tells machines or offerings apart by them. */
export const wellKnownLabelsOf = (...catalogues: readonly (readonly InstanceType[])[]): readonly string[] => {
  const keys = new Set([INSTANCE_SIZE_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_CPU_LABEL, INSTANCE_MEMORY_LABEL])
  for (const catalogue of catalogues) {
    for (const { requirements, offerings } of catalogue) {
      for (const { key } of requirements) keys.add(key)
      for (const offering of offerings) for (const { key } of offering.requirements) keys.add(key)
    }
  }
  return [...keys]
}
