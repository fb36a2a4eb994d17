import type { CapacityType } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'
import type { AskedOffering } from './asked-offering.ts'

/** The inputs of a launch, which are needed to interpret EC2's response. */
export interface LaunchContext {
  readonly capacityType: CapacityType
  /** The scope for which denials by policies are remembered. */
  readonly classScope: string
  readonly tenancy: 'default' | 'dedicated'
  readonly group: PlacementGroup | undefined
  readonly partition: string | undefined
  readonly candidates: readonly InstanceType[]
  readonly subnets: NonNullable<NonNullable<EC2NodeClass['status']>['subnets']>
  /** All overrides of the launch. */
  readonly asked: readonly AskedOffering[]
}
