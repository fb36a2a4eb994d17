import type { InstanceType } from '@kerf/engine'
import type { VmSize } from '../sizes/vm-size.ts'
import { computeCapacity, computeOverhead } from './capacity.ts'
import { fitsClass } from './class-filters.ts'
import type { ClassTraits } from './class-traits.ts'
import { listOfferings, type Market } from './offerings.ts'
import { typeRequirements } from './type-labels.ts'

/** The fraction of the memory that the hypervisor uses. A setting can override it. */
export const MEMORY_OVERHEAD = 0.075

/** The settings that instance types depend on, in addition to the VM size and the node class. */
export interface TypeSettings {
  readonly nodeResourceGroup: string
  readonly vmMemoryOverheadPercent: number
}

/**
 * Returns the instance types for nodes of a node class, in the order of the sizes (`providers/azure/docs/spec/azure.md#instance-types`).
 */
export const buildInstanceTypes = (
  sizes: readonly VmSize[],
  traits: ClassTraits,
  market: Market,
  { nodeResourceGroup, vmMemoryOverheadPercent }: TypeSettings,
): readonly InstanceType[] =>
  sizes
    .filter((size) => fitsClass(size, traits))
    .map((size): InstanceType => {
      const offerings = listOfferings(size, market)
      return {
        name: size.name,
        requirements: typeRequirements(size, traits, offerings, { location: market.location, nodeResourceGroup }),
        offerings,
        capacity: computeCapacity(size, traits, vmMemoryOverheadPercent),
        overhead: computeOverhead(size),
      }
    })
