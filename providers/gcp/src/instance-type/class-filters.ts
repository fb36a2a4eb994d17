import { diskTypesOfFamily } from '../tables/disk-types.ts'
import type { TypeFacts } from '../type-facts.ts'
import { parseTypeName } from '../type-name.ts'
import type { ClassTraits } from './class-traits.ts'

/**
 * Machine families whose instances accept additional local SSDs (Google's documentation of Local SSD). Instances of other families have a
 * fixed number of local SSDs or none.
 */
const WITH_LOCAL_SSDS: ReadonlySet<string> = new Set(['a2', 'c2', 'c2d', 'g2', 'm1', 'm3', 'n1', 'n2', 'n2d'])

/**
 * Returns true if an instance of the instance type can have the disks of the node class. Assumes that families missing from the table
 * accept disks of any type.
 */
export const canAttachDisks = (
  { name, localSsdGiB }: TypeFacts,
  { diskTypes, hasLocalSsds }: Pick<ClassTraits, 'diskTypes' | 'hasLocalSsds'>,
): boolean => {
  const family = parseTypeName(name)?.family ?? ''
  const attachable = diskTypesOfFamily(family)
  if (attachable !== undefined && !diskTypes.every((type) => attachable.includes(type))) return false
  return !hasLocalSsds || (WITH_LOCAL_SSDS.has(family) && localSsdGiB === 0)
}
