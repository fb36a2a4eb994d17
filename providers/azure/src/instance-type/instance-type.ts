import type { InstanceType } from '@kerf/engine'
import type { VmSize } from '../sizes/vm-size.ts'
import { capacityOf, overheadOf } from './capacity.ts'
import { fitsClass } from './class-filters.ts'
import type { ClassTraits } from './class-traits.ts'
import { type Market, offeringsOf } from './offerings.ts'
import { typeRequirements } from './type-labels.ts'

/** The fraction of the memory that the hypervisor uses, unless a setting says otherwise. */
export const MEMORY_OVERHEAD = 0.075

/** The settings that instance types depend on, in addition to the VM size and the node class. */
export interface TypeSettings {
  readonly nodeResourceGroup: string
  readonly vmMemoryOverheadPercent: number
}

/**
 * Returns the instance types for nodes of a node class, in the order of the sizes (`providers/azure/docs/spec/azure.md#instance-types`).
 */
export const instanceTypesOf = (
  sizes: readonly VmSize[],
  traits: ClassTraits,
  market: Market,
  { nodeResourceGroup, vmMemoryOverheadPercent }: TypeSettings,
): readonly InstanceType[] =>
  sizes
    .filter((size) => fitsClass(size, traits))
    .map((size): InstanceType => {
      const offerings = offeringsOf(size, market)
      return {
        name: size.name,
        requirements: typeRequirements(size, traits, offerings, { location: market.location, nodeResourceGroup }),
        offerings,
        capacity: capacityOf(size, traits, vmMemoryOverheadPercent),
        overhead: overheadOf(size),
      }
    })
