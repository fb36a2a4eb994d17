import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateFleetError,
  CreateFleetInstance,
  InstanceLifecycle,
  LaunchTemplateAndOverridesResponse,
} from '@aws-sdk/client-ec2'
import { tagMap } from '../../api/aws-api.ts'
import type { FakeInstanceSpec } from './fake-instance.ts'
import { availableCapacity, type FleetCloud, type FleetOption, fleetOptions, take } from './fleet-options.ts'

/** The account in which a fleet launches. */
export interface FleetAccount extends FleetCloud {
  /** Whether responses leave out optional fields. */
  readonly isTerse: boolean
  /** Returns true if the resource limit allows a launch of this many instances. */
  allows(count: number): boolean
  start(machine: FakeInstanceSpec): string
  fleetId(): string
}

/**
 * Returns the launch template and the override of an entry. The shape is that of EC2's API model (`LaunchTemplateAndOverridesResponse` with
 * `FleetLaunchTemplateSpecification`) and of the example in the EC2 User Guide ("Create an EC2 Fleet", output of type `instant`). The
 * template is identified by its id, never by its name. The version is a number if the request contained `$Latest`. The override is as
 * requested. No field is required.
 */
const fleetOptionEntry = ({ template, override }: FleetOption, isTerse: boolean): LaunchTemplateAndOverridesResponse =>
  isTerse
    ? { Overrides: override.InstanceType === undefined ? {} : { InstanceType: override.InstanceType } }
    : {
        LaunchTemplateSpecification: { LaunchTemplateId: template.id, Version: '1' },
        Overrides: { ...override } as NonNullable<LaunchTemplateAndOverridesResponse['Overrides']>,
      }

/**
 * Returns the lifecycle. API model, `CreateFleetInstance.Lifecycle`: spot, on-demand, capacity block or interruptible
 * reservation.
 */
const instanceLifecycle = (target: string, { template }: FleetOption): InstanceLifecycle => {
  const market = template.data.InstanceMarketOptions?.MarketType
  if (market === 'capacity-block' || market === 'interruptible-capacity-reservation') return market
  return target === 'spot' ? 'spot' : 'on-demand'
}

/** Returns the instance that is launched from an option. */
const fleetOptionMachine = (
  { override, template, reservation }: FleetOption,
  lifecycle: InstanceLifecycle,
  tags: Readonly<Record<string, string>>,
): FakeInstanceSpec => ({
  type: override.InstanceType ?? '',
  zone: override.AvailabilityZone ?? '',
  subnet: override.SubnetId ?? '',
  image: override.ImageId ?? template.data.ImageId ?? '',
  tags,
  template: template.data,
  ...(lifecycle === 'on-demand' ? {} : { lifecycle }),
  ...(reservation?.CapacityReservationId === undefined ? {} : { reservation: reservation.CapacityReservationId }),
})

/**
 * Launches a fleet of type `instant`. It uses the options in ascending order of price or, if the request sets them, of priority numbers. If
 * an option provides fewer instances than requested, `Errors` has an entry for it, even if there are `Instances`. Instances are returned in
 * one group per option, in no particular order.
 */
export const launchFleet = (input: CreateFleetCommandInput, account: FleetAccount): CreateFleetCommandOutput => {
  const options = fleetOptions(input, account)
  const target = input.TargetCapacitySpecification?.DefaultTargetCapacityType ?? 'on-demand'
  const tags = tagMap(input.TagSpecifications?.find(({ ResourceType }) => ResourceType === 'instance')?.Tags)
  const Errors: CreateFleetError[] = []
  const Instances: CreateFleetInstance[] = []
  let left = input.TargetCapacitySpecification?.TotalTargetCapacity ?? 1
  const isLimited = !account.allows(left)
  for (const option of options.toSorted((a, b) => a.price - b.price)) {
    if (left === 0) break
    const Lifecycle = instanceLifecycle(target, option)
    const { count, code, message } = isLimited
      ? { count: 0, code: 'RequestLimitExceeded', message: undefined }
      : availableCapacity(option, left, account)
    if (count < left)
      Errors.push({
        LaunchTemplateAndOverrides: fleetOptionEntry(option, account.isTerse),
        Lifecycle,
        ErrorCode: code,
        ErrorMessage: message ?? 'there is not enough',
      })
    if (count === 0) continue
    take(option, count, account)
    const ids = Array.from({ length: count }, () => account.start(fleetOptionMachine(option, Lifecycle, tags)))
    const { InstanceType } = option.override
    Instances.unshift({
      LaunchTemplateAndOverrides: fleetOptionEntry(option, account.isTerse),
      Lifecycle,
      InstanceIds: ids.toReversed(),
      ...(InstanceType === undefined ? {} : { InstanceType }),
    })
    left -= count
  }
  return {
    $metadata: { httpStatusCode: 200, attempts: 1 },
    FleetId: account.fleetId(),
    // The SDK leaves out empty lists.
    ...(Instances.length === 0 ? {} : { Instances }),
    ...(Errors.length === 0 ? {} : { Errors }),
  }
}
