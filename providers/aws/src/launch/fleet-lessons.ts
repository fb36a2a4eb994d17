import type { CreateFleetError } from '@aws-sdk/client-ec2'
import type { Counter, Logger, Metrics } from '@kerf/runtime'
import type { CapacityReservations } from '../discovery/capacity-reservations.ts'
import type { Subnets } from '../discovery/subnets.ts'
import { isSpotRoleMissing, unavailableOf } from '../failures/fleet-failure.ts'
import { launchFailureOf } from '../failures/launch-failure.ts'
import type { InsufficientCapacity } from '../offerings/insufficient-capacity.ts'
import { type AskedOffering, offeringsOf } from './asked-offering.ts'
import type { LaunchContext } from './launch-context.ts'

export interface FleetLessonParts {
  readonly metrics: Metrics
  readonly log: Logger
  readonly insufficient: InsufficientCapacity
  readonly subnets: Subnets
  readonly reservations: CapacityReservations
  /** The account lacks the role that spot instances need. */
  readonly onSpotRoleMissing: () => void
}

/** What became of one call, for whoever plans the next. */
export interface FleetOutcome {
  readonly errors: readonly CreateFleetError[]
  readonly hasLaunched: boolean
  readonly context: LaunchContext
}

/** The error with what it left out of the one override that it can mean. */
const completed = (error: CreateFleetError, meant: readonly AskedOffering[]): CreateFleetError => {
  const [only, ...others] = meant
  if (only === undefined || others.length > 0) return error
  const { instanceType, zone, subnetId } = only
  const Overrides = { InstanceType: instanceType as 'm5.large', AvailabilityZone: zone, SubnetId: subnetId }
  return { ...error, LaunchTemplateAndOverrides: { ...error.LaunchTemplateAndOverrides, Overrides } }
}

/** What the errors of a fleet teach for the next plan: what ran out is marked, also when something was launched. */
export const fleetLessons = (parts: FleetLessonParts): ((outcome: FleetOutcome) => void) => {
  const failures: Counter = parts.metrics.counter({
    name: 'karpenter_cloudprovider_instance_launch_failures_total',
    help: 'Offerings that EC2 could not launch, by its reason.',
    labels: ['zone', 'zone_id', 'capacity_type', 'reason'],
  })

  const measure = (error: CreateFleetError, { capacityType, subnets }: LaunchContext): void => {
    const { AvailabilityZone: zone = '', InstanceType: type } = error.LaunchTemplateAndOverrides?.Overrides ?? {}
    const zoneId = subnets.find((subnet) => subnet.zone === zone)?.zoneID ?? ''
    const code = error.ErrorCode ?? 'Unknown'
    const { reason } = launchFailureOf(`${code}: ${error.ErrorMessage ?? ''}`)
    failures.inc({ zone, zone_id: zoneId, capacity_type: capacityType, reason })
    parts.log.info('an offering could not be launched', {
      code,
      message: error.ErrorMessage,
      'instance-type': type,
      zone,
      'capacity-type': capacityType,
    })
  }

  return ({ errors: entries, hasLaunched, context }) => {
    const { capacityType, group, partition, candidates, asked } = context
    const scope = {
      ...(group === undefined ? {} : { placementGroup: group }),
      ...(partition === undefined ? {} : { partition }),
    }
    const { insufficient, subnets, reservations } = parts
    for (const entry of entries) {
      const meant = offeringsOf(entry, asked)
      const error = completed(entry, meant)
      measure(error, context)
      if (isSpotRoleMissing(error.ErrorCode ?? '')) parts.onSpotRoleMissing()
      const launch = { capacityType, ...(group === undefined ? {} : { placementStrategy: group.strategy }) }
      for (const mark of unavailableOf(error, launch)) {
        switch (mark.kind) {
          case 'offering': {
            const { instanceType, zone, reason } = mark
            insufficient.markOffering({ capacityType, instanceType, zone }, reason, scope)
            break
          }
          case 'capacity-type':
            insufficient.markOffering({ capacityType: mark.capacityType }, mark.reason)
            break
          case 'subnet':
            insufficient.markSubnet(mark.subnetId, mark.reason)
            subnets.exhausted(mark.subnetId)
            break
          case 'reservation': {
            const ids = new Set(meant.flatMap(({ reservation }) => reservation?.id ?? []))
            // An error that leaves open which one it means counts for all only when none of them gave anything.
            if (ids.size === 1 || !hasLaunched) for (const id of ids) reservations.exhausted(id)
            break
          }
          case 'placement-group-zone':
            for (const { name } of candidates)
              insufficient.markOffering({ capacityType, instanceType: name, zone: mark.zone }, mark.reason, scope)
        }
      }
    }
  }
}
