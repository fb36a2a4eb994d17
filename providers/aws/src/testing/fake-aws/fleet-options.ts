import type {
  CapacityReservation,
  CreateFleetCommandInput,
  FleetLaunchTemplateOverridesRequest,
  RequestLaunchTemplateData,
  Subnet,
} from '@aws-sdk/client-ec2'
import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'
import type { Fault } from '@kerf/provider-kit/testing'
import type { Ec2InstanceType } from '../../api/ec2-instance-type.ts'
import { fakePrice } from './fake-price.ts'
import { sdkError } from './sdk-error.ts'

export interface FakeTemplate {
  readonly id: string
  readonly name: string
  readonly data: RequestLaunchTemplateData
  readonly tags: Readonly<Record<string, string>>
}

/** Limited capacity: the number of instances that all offerings matching the pattern can still launch in total. */
export interface Stock {
  readonly of: OfferingPattern
  left: number
}

/** The launch that a policy allows or denies. */
export interface PolicyQuestion {
  readonly type: string
  readonly subnet: string
  readonly capacityType: 'spot' | 'on-demand'
}

/** The state of the cloud that a fleet chooses from. */
export interface FleetCloud {
  readonly templates: ReadonlyMap<string, FakeTemplate>
  readonly types: readonly Ec2InstanceType[]
  readonly subnets: readonly Subnet[]
  readonly reservations: readonly CapacityReservation[]
  readonly stockOuts: readonly OfferingPattern[]
  /** Offerings with limited capacity. */
  readonly stocks: readonly Stock[]
  /** The error code for a lack of capacity. */
  readonly shortage: string
  /** Returns true if a zone does not offer an instance type. */
  lacks(type: string | undefined, zone: string | undefined): boolean
  /** Returns a policy's denial of an instance, or undefined. */
  denies?(asked: PolicyQuestion): Fault | undefined
}

export interface FleetOption {
  readonly override: FleetLaunchTemplateOverridesRequest
  readonly template: FakeTemplate
  readonly capacityType: 'spot' | 'on-demand' | 'reserved'
  readonly reservation: CapacityReservation | undefined
  /**
   * The fleet chooses the option with the lowest value. It is the price in dollars per hour, or the priority if the request uses
   * priorities.
   */
  readonly price: number
}

/** Returns the options of a fleet in the order of the request. */
export const fleetOptions = (
  input: CreateFleetCommandInput,
  { templates, types, reservations }: FleetCloud,
): readonly FleetOption[] => {
  const target = input.TargetCapacitySpecification?.DefaultTargetCapacityType ?? 'on-demand'
  const lifecycle = target === 'spot' ? 'spot' : 'on-demand'
  const isPrioritized = [input.SpotOptions?.AllocationStrategy, input.OnDemandOptions?.AllocationStrategy].some(
    (each) => each?.includes('prioritized'),
  )
  return (input.LaunchTemplateConfigs ?? []).flatMap(({ LaunchTemplateSpecification: spec, Overrides = [] }) => {
    const template = templates.get(spec?.LaunchTemplateName ?? '')
    if (template === undefined) throw sdkError({ code: 'InvalidLaunchTemplateName.NotFoundException' })
    const reserved = template.data.CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId
    return Overrides.map(
      (override): FleetOption => ({
        override,
        template,
        capacityType: reserved === undefined ? lifecycle : 'reserved',
        reservation: reservations.find(({ CapacityReservationId: id }) => id !== undefined && id === reserved),
        price: isPrioritized
          ? (override.Priority ?? 0)
          : fakePrice(types.find(({ InstanceType }) => InstanceType === override.InstanceType) ?? {}, lifecycle),
      }),
    )
  })
}

const isMeant = (pattern: OfferingPattern, { override, capacityType }: FleetOption): boolean => {
  const { InstanceType: instanceType = '', AvailabilityZone: zone = '' } = override
  return isMeantBy(pattern, { capacityType, instanceType, zone })
}

/** Returns how many of the `wanted` instances the option can provide, and the error code if it provides fewer. */
export const availableCapacity = (
  option: FleetOption,
  wanted: number,
  { subnets, stockOuts, stocks, shortage, lacks, denies }: FleetCloud,
): { readonly count: number; readonly code: string; readonly message?: string } => {
  const { override, reservation } = option
  const isReserved = option.capacityType === 'reserved'
  const denied = denies?.({
    ...{ type: override.InstanceType ?? '', subnet: override.SubnetId ?? '' },
    capacityType: option.capacityType === 'spot' ? 'spot' : 'on-demand',
  })
  if (denied !== undefined) return { count: 0, code: denied.code, message: denied.message ?? denied.code }
  // EC2 User Guide, "Troubleshoot Amazon EC2 instance launch issues": an instance type that the zone does not offer is unsupported.
  if (lacks(override.InstanceType, override.AvailabilityZone)) return { count: 0, code: 'Unsupported' }
  const subnet = subnets.find(({ SubnetId }) => SubnetId === override.SubnetId)
  if (subnet?.AvailableIpAddressCount === 0) return { count: 0, code: 'InsufficientFreeAddressesInSubnet' }
  const code = isReserved ? 'ReservationCapacityExceeded' : shortage
  if (stockOuts.some((pattern) => isMeant(pattern, option))) return { count: 0, code }
  const limits = [
    ...stocks.filter((stock) => isMeant(stock.of, option)).map(({ left }) => left),
    ...(isReserved ? [reservation?.AvailableInstanceCount ?? 0] : []),
  ]
  return { count: Math.min(wanted, ...limits), code }
}

/** Subtracts the launched instances from the limited capacity of matching stocks. */
export const take = (option: FleetOption, count: number, { stocks }: FleetCloud): void => {
  for (const stock of stocks) if (isMeant(stock.of, option)) stock.left -= count
  const { reservation } = option
  if (reservation !== undefined) reservation.AvailableInstanceCount = (reservation.AvailableInstanceCount ?? 0) - count
}
