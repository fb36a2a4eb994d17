import type { Quantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type Market, offeringsOf } from '../offerings/offerings.ts'
import { capacityOf } from './capacity.ts'
import type { Ec2InstanceType, InstanceTypeFacts } from './ec2-shapes.ts'
import { overheadOf } from './overhead.ts'
import type { NodeClassTraits, TypeSettings } from './type-context.ts'
import { typeRequirements } from './type-labels.ts'

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

/** An instance type of EC2 as the engine takes it (`spec/aws.md` 2.11, 2.12). */
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
