import type { InstanceType } from '@kerf/engine'
import type { TypeFacts } from '../type-facts.ts'
import { typeCapacity, typeOverhead } from './capacity.ts'
import { canAttachDisks } from './class-filters.ts'
import type { ClassTraits } from './class-traits.ts'
import { type Market, typeOfferings } from './offerings.ts'
import { typeRequirements } from './type-labels.ts'

/**
 * Returns the instance types for nodes of a node class, in the order of the facts (`providers/gcp/docs/spec/gcp.md#instance-types`). Omits
 * types without an offering in the market, and types that cannot attach the disks of the class.
 *
 * @param memoryOverhead the fraction of the memory that the virtual machine needs for itself
 */
export const instanceTypesForClass = (
  types: Iterable<TypeFacts>,
  traits: ClassTraits,
  market: Market,
  memoryOverhead: number,
): readonly InstanceType[] =>
  [...types]
    .filter((facts) => canAttachDisks(facts, traits))
    .flatMap((facts): readonly InstanceType[] => {
      const offerings = typeOfferings(facts.name, market)
      if (offerings.length === 0) return []
      const capacity = typeCapacity(facts, traits, memoryOverhead)
      return [
        {
          name: facts.name,
          requirements: typeRequirements(facts, offerings, market.region),
          offerings,
          capacity,
          overhead: typeOverhead(facts, traits, capacity),
        },
      ]
    })
