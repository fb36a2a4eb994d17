import type { CapacityType, EC2NodeClass } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'
import type { AskedOffering } from './asked-offering.ts'

/** What a launch was made from, to read EC2's answer with. */
export interface LaunchContext {
  readonly capacityType: CapacityType
  /** What policies deny is remembered for this class only. */
  readonly classScope: string
  readonly tenancy: 'default' | 'dedicated'
  readonly group: PlacementGroup | undefined
  readonly partition: string | undefined
  readonly candidates: readonly InstanceType[]
  readonly subnets: NonNullable<NonNullable<EC2NodeClass['status']>['subnets']>
  /** Every override of the launch. */
  readonly asked: readonly AskedOffering[]
}
