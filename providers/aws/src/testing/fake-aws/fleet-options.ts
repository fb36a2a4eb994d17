import type {
  CapacityReservation,
  CreateFleetCommandInput,
  FleetLaunchTemplateOverridesRequest,
  RequestLaunchTemplateData,
  Subnet,
} from '@aws-sdk/client-ec2'
import type { OfferingPattern } from '@kerf/provider-contract'
import type { Ec2InstanceType } from '../../instance-type/ec2-shapes.ts'
import { fakePrice } from './fake-price.ts'
import { sdkError } from './faults.ts'

export interface FakeTemplate {
  readonly id: string
  readonly name: string
  readonly data: RequestLaunchTemplateData
  readonly tags: Readonly<Record<string, string>>
}

/** What a fleet chooses from. */
interface FleetCloud {
  readonly templates: ReadonlyMap<string, FakeTemplate>
  readonly types: readonly Ec2InstanceType[]
  readonly subnets: readonly Subnet[]
  readonly reservations: readonly CapacityReservation[]
  readonly stockOuts: readonly OfferingPattern[]
  /** The code of a shortage. */
  readonly shortage: string
}

export interface FleetOption {
  readonly override: FleetLaunchTemplateOverridesRequest
  readonly template: FakeTemplate
  readonly capacityType: 'spot' | 'on-demand' | 'reserved'
  readonly reservation: CapacityReservation | undefined
  /** By which the fleet chooses: dollars an hour, or the priority where the request is by priority. */
  readonly price: number
}

/** What a fleet may become, in the order of the request. */
export const fleetOptions = (
  input: CreateFleetCommandInput,
  { templates, types, reservations }: FleetCloud,
): { readonly lifecycle: 'spot' | 'on-demand'; readonly options: readonly FleetOption[] } => {
  const target = input.TargetCapacitySpecification?.DefaultTargetCapacityType ?? 'on-demand'
  const lifecycle = target === 'spot' ? 'spot' : 'on-demand'
  const isPrioritized = [input.SpotOptions?.AllocationStrategy, input.OnDemandOptions?.AllocationStrategy].some(
    (each) => each?.includes('prioritized'),
  )
  const options = (input.LaunchTemplateConfigs ?? []).flatMap(
    ({ LaunchTemplateSpecification: spec, Overrides = [] }) => {
      const template = templates.get(spec?.LaunchTemplateName ?? '')
      if (template === undefined) throw sdkError({ code: 'InvalidLaunchTemplateName.NotFoundException' })
      const target = template.data.CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId
      return Overrides.map(
        (override): FleetOption => ({
          override,
          template,
          capacityType: target === undefined ? lifecycle : 'reserved',
          reservation: reservations.find(({ CapacityReservationId: id }) => id !== undefined && id === target),
          price: isPrioritized
            ? (override.Priority ?? 0)
            : fakePrice(types.find(({ InstanceType }) => InstanceType === override.InstanceType) ?? {}, lifecycle),
        }),
      )
    },
  )
  return { lifecycle, options }
}

/** The code with which EC2 says that an option cannot be had, or nothing. */
export const shortageOf = (
  { override, capacityType, reservation }: FleetOption,
  wanted: number,
  { subnets, stockOuts, shortage }: FleetCloud,
): string | undefined => {
  const subnet = subnets.find(({ SubnetId }) => SubnetId === override.SubnetId)
  if (subnet?.AvailableIpAddressCount === 0) return 'InsufficientFreeAddressesInSubnet'
  const isOut = stockOuts.some(
    (pattern) =>
      (pattern.capacityType ?? capacityType) === capacityType &&
      (pattern.instanceType ?? override.InstanceType) === override.InstanceType &&
      (pattern.zone ?? override.AvailabilityZone) === override.AvailabilityZone,
  )
  const isReserved = capacityType === 'reserved'
  if (!isOut && !(isReserved && (reservation?.AvailableInstanceCount ?? 0) < wanted)) return undefined
  return isReserved ? 'ReservationCapacityExceeded' : shortage
}
