import type { CreateFleetError } from '@aws-sdk/client-ec2'
import type { InsufficientCapacity } from '@kerf/provider-kit'
import { defineMetrics, type Logger, type Metrics } from '@kerf/runtime'
import type { CapacityReservations } from '../discovery/capacity-reservations.ts'
import type { Subnets } from '../discovery/subnets.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { isSpotRoleMissing, type UnavailableCapacity, unavailableOfferings } from '../failures/fleet-failure.ts'
import { classifyLaunchFailure } from '../failures/launch-failure.ts'
import { isOpaqueRefusal, parsePolicyRefusal } from '../failures/policy-refusal.ts'
import { capacityScopes, DENIED_TTL, quotaScope } from '../offerings/insufficient-capacity.ts'
import { type AskedOffering, entryOfferings } from './asked-offering.ts'
import type { LaunchContext } from './launch-context.ts'

export interface FleetOutcomeDeps {
  readonly metrics: Metrics
  readonly log: Logger
  readonly insufficient: InsufficientCapacity
  readonly subnets: Subnets
  readonly reservations: CapacityReservations
  /** Called when the account lacks the service-linked role for spot instances. */
  readonly onSpotRoleMissing: () => void
}

/** The outcome of one CreateFleet call. */
export interface FleetOutcome {
  readonly errors: readonly CreateFleetError[]
  readonly hasLaunched: boolean
  readonly context: LaunchContext
}

/** Returns the error. If it matches only one override, adds the fields of that override. */
const completed = (error: CreateFleetError, meant: readonly AskedOffering[]): CreateFleetError => {
  const [only, ...others] = meant
  if (only === undefined || others.length > 0) return error
  const { instanceType, zone, subnetId } = only
  const Overrides = { InstanceType: instanceType as 'm5.large', AvailabilityZone: zone, SubnetId: subnetId }
  return { ...error, LaunchTemplateAndOverrides: { ...error.LaunchTemplateAndOverrides, Overrides } }
}

export const fleetMetrics = defineMetrics({
  failures: {
    name: 'karpenter_cloudprovider_instance_launch_failures_total',
    type: 'counter',
    help: 'Offerings that EC2 could not launch, by reason.',
    labels: ['zone', 'zone_id', 'capacity_type', 'reason'],
  },
})

/**
 * Applies the errors of a fleet to later plans. Offerings without capacity become unavailable for a while, even if the fleet launched
 * something.
 */
export class FleetOutcomes {
  readonly #deps: FleetOutcomeDeps
  readonly #failures

  constructor(deps: FleetOutcomeDeps) {
    this.#deps = deps
    this.#failures = fleetMetrics.register(deps.metrics).failures
  }

  learn({ errors, hasLaunched, context }: FleetOutcome): void {
    const { capacityType, group } = context
    const launch = { capacityType, ...(group === undefined ? {} : { placementStrategy: group.strategy }) }
    for (const entry of errors) {
      const meant = entryOfferings(entry, context.asked)
      const error = completed(entry, meant)
      this.#measure(error, context)
      if (isSpotRoleMissing(error.ErrorCode ?? '')) this.#deps.onSpotRoleMissing()
      for (const unavailable of unavailableOfferings(error, launch))
        this.#markUnavailable(unavailable, { meant, hasLaunched, context })
    }
  }

  /**
   * Evaluates the error of a call that EC2 refused as a whole. Returns true if an offering became unavailable. The error does not identify
   * an override. EC2 tries the cheapest instance type first, so that type becomes unavailable. If another type was the cause, later
   * launches will show it.
   */
  learnRefusal(error: unknown, context: LaunchContext): boolean {
    const { code, message } = classifyAwsFailure(error)
    const denied = parsePolicyRefusal(code, message)
    const [cheapest] = context.candidates
    // If the permission for the call itself is missing, EC2 refuses the call without an explanation.
    if (denied === undefined || cheapest === undefined || isOpaqueRefusal(message)) return false
    const Overrides = { InstanceType: cheapest.name as 'm5.large' }
    const entry = { ErrorCode: code, ErrorMessage: message, LaunchTemplateAndOverrides: { Overrides } }
    this.#measure(entry, context)
    const { capacityType } = context
    for (const unavailable of unavailableOfferings(entry, { capacityType }))
      this.#markUnavailable(unavailable, { meant: [], hasLaunched: false, context })
    return true
  }

  #markUnavailable(
    unavailable: UnavailableCapacity,
    {
      meant,
      hasLaunched,
      context,
    }: Pick<FleetOutcome, 'hasLaunched' | 'context'> & { readonly meant: readonly AskedOffering[] },
  ): void {
    const { insufficient, subnets, reservations } = this.#deps
    const { capacityType, group, partition, candidates, classScope } = context
    const scope = capacityScopes(group, partition).at(-1)
    switch (unavailable.kind) {
      case 'offering': {
        const { instanceType, zone, reason } = unavailable
        insufficient.markOffering({ capacityType, instanceType, zone }, reason, scope)
        break
      }
      case 'capacity-type':
        insufficient.markOffering({ capacityType: unavailable.capacityType }, unavailable.reason)
        break
      case 'quota': {
        const { capacityType: bought, instanceType, reason } = unavailable
        insufficient.markOffering({ capacityType: bought }, reason, quotaScope(instanceType, bought))
        break
      }
      case 'everything':
        insufficient.markOffering({}, unavailable.reason)
        break
      case 'denied-offering': {
        const { instanceType, zone, reason } = unavailable
        const pattern = { capacityType, instanceType, ...(zone === undefined ? {} : { zone }) }
        insufficient.markOffering(pattern, reason, classScope, DENIED_TTL)
        break
      }
      case 'denied-subnet':
        insufficient.markSubnet(unavailable.subnetId, unavailable.reason, DENIED_TTL)
        break
      case 'denied-spot':
        insufficient.markOffering({ capacityType: 'spot' }, unavailable.reason, classScope, DENIED_TTL)
        break
      case 'subnet':
        insufficient.markSubnet(unavailable.subnetId, unavailable.reason)
        subnets.exhausted(unavailable.subnetId)
        break
      case 'reservation': {
        const ids = new Set(meant.flatMap(({ reservation }) => reservation?.id ?? []))
        // If an error does not identify its reservation, all reservations of the launch count as full, unless the launch returned an
        // instance.
        if (ids.size === 1 || !hasLaunched) for (const id of ids) reservations.exhausted(id)
        break
      }
      case 'placement-group-zone':
        for (const { name } of candidates)
          insufficient.markOffering(
            { capacityType, instanceType: name, zone: unavailable.zone },
            unavailable.reason,
            scope,
          )
    }
  }

  #measure(error: CreateFleetError, { capacityType, subnets }: LaunchContext): void {
    const { AvailabilityZone: zone = '', InstanceType: type } = error.LaunchTemplateAndOverrides?.Overrides ?? {}
    const zoneId = subnets.find((subnet) => subnet.zone === zone)?.zoneID ?? ''
    const code = error.ErrorCode ?? 'Unknown'
    const { reason } = classifyLaunchFailure(`${code}: ${error.ErrorMessage ?? ''}`)
    this.#failures.inc({ zone, zone_id: zoneId, capacity_type: capacityType, reason })
    this.#deps.log.info('an offering could not be launched', {
      code,
      message: error.ErrorMessage,
      'instance-type': type,
      zone,
      'capacity-type': capacityType,
    })
  }
}
