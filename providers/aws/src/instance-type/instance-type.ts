import type { Quantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { NodeClassTraits } from '../node-class/node-class-traits.ts'
import { type Market, offeringsOf } from '../offerings/offerings.ts'
import type { InstanceTypeFacts } from '../tables/instance-facts.ts'
import { capacityOf } from './capacity.ts'
import { overheadOf } from './overhead.ts'
import { typeRequirements } from './type-labels.ts'
import type { TypeSettings } from './type-settings.ts'

/** Everything that one instance type is worked out from. */
export interface TypeInputs {
  readonly type: Ec2InstanceType
  readonly facts: InstanceTypeFacts
  readonly traits: NodeClassTraits
  readonly settings: TypeSettings
  readonly market: Market
  /** The zones that EC2 offers the type in. */
  readonly offeredIn: ReadonlySet<string>
  /** What nodes of the type turned out to have. */
  readonly discoveredMemory?: Quantity
}

/** An instance type of EC2 as the engine takes it (`docs/spec/aws.md#instance-types`, `docs/spec/aws.md#offerings`). */
export const instanceTypeOf = (inputs: TypeInputs): InstanceType => {
  const { type, facts, traits, settings, market, offeredIn, discoveredMemory } = inputs
  const capacity = capacityOf(type, facts, traits, settings, discoveredMemory)
  return {
    name: type.InstanceType ?? '',
    requirements: typeRequirements(type, facts, traits, settings, offeredIn),
    offerings: offeringsOf(type, traits, market, offeredIn),
    capacity,
    overhead: overheadOf(type, traits, settings, capacity),
  }
}
