import type { Quantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { familyTraits } from '../node-class/ami-family.ts'
import type { NodeClassTraits } from '../node-class/node-class-traits.ts'
import { awsOfferings, type Market } from '../offerings/offerings.ts'
import type { InstanceTypeFacts } from '../tables/instance-facts.ts'
import { computeCapacity } from './capacity.ts'
import { normalizedUnits } from './normalized-units.ts'
import { computeOverhead } from './overhead.ts'
import { typeRequirements } from './type-labels.ts'
import type { TypeSettings } from './type-settings.ts'

/** The inputs from which one instance type is computed. */
export interface TypeInputs {
  readonly type: Ec2InstanceType
  readonly facts: InstanceTypeFacts
  readonly traits: NodeClassTraits
  readonly settings: TypeSettings
  readonly market: Market
  /** The zones in which EC2 offers the instance type. */
  readonly offeredIn: ReadonlySet<string>
  /** The smallest amount of memory that a node of the instance type has reported. Absent if no node has reported it. */
  readonly discoveredMemory?: Quantity
}

/** Returns an EC2 instance type in the form of the engine (`providers/aws/docs/spec/aws.md#instance-types`, `providers/aws/docs/spec/aws.md#offerings`). */
export const awsInstanceType = (inputs: TypeInputs): InstanceType => {
  const { type, facts, traits, settings, market, offeredIn, discoveredMemory } = inputs
  const units = normalizedUnits(type)
  const capacity = computeCapacity(type, facts, traits, settings, discoveredMemory)
  return {
    name: type.InstanceType ?? '',
    requirements: typeRequirements(type, facts, traits, settings, offeredIn),
    offerings: awsOfferings(type, traits, market, offeredIn),
    capacity,
    overhead: computeOverhead(type, traits, settings, capacity),
    ...(units === undefined || familyTraits[traits.family].windowsBuild !== undefined
      ? {}
      : { normalizedUnits: units }),
  }
}
