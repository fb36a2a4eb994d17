import type { InstanceType } from '@kerf/engine'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import { typeCapacity, typeOverhead } from './capacity.ts'
import type { ClassTraits } from './class-traits.ts'
import { type Market, typeOfferings } from './offerings.ts'
import { type ClusterNetwork, fitsNetwork, podCount } from './pod-count.ts'
import { typeRequirements } from './type-labels.ts'

/** The settings that affect the computed instance types, in addition to ECS's data and the node class. */
export interface TypeSettings {
  readonly network: ClusterNetwork
  readonly vmMemoryOverheadPercent: number
}

/**
 * Returns the instance types for nodes of a node class, in the order of the given types
 * (`providers/alibaba/docs/spec/alibaba.md#instance-types-and-prices`). Omits types without any price.
 */
export const instanceTypes = (
  types: readonly EcsType[],
  traits: ClassTraits,
  market: Market,
  { network, vmMemoryOverheadPercent }: TypeSettings,
): readonly InstanceType[] =>
  types
    .filter((type) => fitsNetwork(type, network))
    .flatMap((type): readonly InstanceType[] => {
      const offerings = typeOfferings(type, market)
      if (offerings.length === 0) return []
      const pods = podCount(type, traits, network)
      const capacity = typeCapacity(type, traits, { pods, overhead: vmMemoryOverheadPercent })
      return [
        {
          name: type.name,
          requirements: typeRequirements(type, offerings, market.region),
          offerings,
          capacity,
          overhead: typeOverhead(type, traits, { pods, capacity }),
        },
      ]
    })
