import { parsePolicyRefusal } from './policy-refusal.ts'

/**
 * Interprets the errors of CreateFleet for offerings that it could not launch (`providers/aws/docs/spec/aws.md#subnets`,
 * `providers/aws/docs/spec/aws.md#placement-groups`, `providers/aws/docs/spec/aws.md#instances`, `providers/aws/docs/spec/aws.md#errors`).
 */

/** One entry of CreateFleet's `Errors`. */
export interface FleetError {
  readonly ErrorCode?: string | undefined
  readonly ErrorMessage?: string | undefined
  readonly LaunchTemplateAndOverrides?:
    | {
        readonly Overrides?:
          | {
              readonly InstanceType?: string | undefined
              readonly AvailabilityZone?: string | undefined
              readonly SubnetId?: string | undefined
            }
          | undefined
      }
    | undefined
}

const UNFULFILLABLE: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'UnfulfillableCapacity',
  'Unsupported',
  'InsufficientFreeAddressesInSubnet',
  'ReservationCapacityExceeded',
  'SpotMaxPriceTooLow',
])
/**
 * Error codes for an exhausted quota of vCPUs or instances for a group of instance families. They do not depend on the instance type or the
 * zone.
 */
const QUOTAS: ReadonlySet<string> = new Set([
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
  'InstanceLimitExceeded',
])
/** Error codes for an exhausted quota of fleets, which prevents every launch. */
const FLEET_QUOTAS: ReadonlySet<string> = new Set(['MaxFleetCountExceeded', 'MaxSpotFleetRequestCountExceeded'])
const SPOT_ROLE_MISSING = 'AuthFailure.ServiceLinkedRoleCreationNotPermitted'

export const isUnfulfillable = (code: string): boolean =>
  UNFULFILLABLE.has(code) || QUOTAS.has(code) || FLEET_QUOTAS.has(code)
export const isSpotRoleMissing = (code: string): boolean => code === SPOT_ROLE_MISSING

/** The capacity that an error makes unavailable for a while. */
export type UnavailableCapacity =
  | { readonly kind: 'offering'; readonly instanceType: string; readonly zone: string; readonly reason: string }
  | { readonly kind: 'capacity-type'; readonly capacityType: 'spot'; readonly reason: string }
  | { readonly kind: 'subnet'; readonly subnetId: string; readonly reason: string }
  /** The account has used up the vCPU or instance quota that covers the instance type. */
  | {
      readonly kind: 'quota'
      readonly capacityType: 'on-demand' | 'spot'
      readonly instanceType: string
      readonly reason: string
    }
  /** The account cannot create more fleets. */
  | { readonly kind: 'everything'; readonly reason: string }
  /** A policy denies the offering for launches of the node class. If `zone` is absent, the policy denies it in every zone. */
  | {
      readonly kind: 'denied-offering'
      readonly instanceType: string
      readonly zone: string | undefined
      readonly reason: string
    }
  | { readonly kind: 'denied-subnet'; readonly subnetId: string; readonly reason: string }
  | { readonly kind: 'denied-spot'; readonly reason: string }
  /** The reservation that the launch used is full. */
  | { readonly kind: 'reservation'; readonly reason: string }
  /** The spread placement group is full in the zone, for every instance type. */
  | { readonly kind: 'placement-group-zone'; readonly zone: string; readonly reason: string }

/** Matches the error of a full spread placement group, which allows seven instances per zone. */
const SPREAD_LIMIT = /spread.*(limit|maximum)|(limit|maximum).*spread/i

/** Returns the capacity that a launch error makes unavailable, or undefined for errors that do not concern capacity. */
export const unavailableOfferings = (
  error: FleetError,
  launch: {
    readonly capacityType: 'on-demand' | 'spot' | 'reserved'
    readonly placementStrategy?: 'cluster' | 'partition' | 'spread'
  },
): readonly UnavailableCapacity[] => {
  const code = error.ErrorCode ?? ''
  const reason = code
  const {
    InstanceType: instanceType,
    AvailabilityZone: zone,
    SubnetId: subnetId,
  } = error.LaunchTemplateAndOverrides?.Overrides ?? {}
  if (isSpotRoleMissing(code)) return [{ kind: 'capacity-type', capacityType: 'spot', reason }]
  if (launch.placementStrategy === 'spread' && zone !== undefined && SPREAD_LIMIT.test(error.ErrorMessage ?? ''))
    return [{ kind: 'placement-group-zone', zone, reason }]
  const denied = parsePolicyRefusal(code, error.ErrorMessage ?? '')
  if (denied !== undefined) {
    if (denied.about === 'subnet') return [{ kind: 'denied-subnet', subnetId: denied.subnetId, reason }]
    if (denied.about === 'spot') return [{ kind: 'denied-spot', reason }]
    return instanceType === undefined ? [] : [{ kind: 'denied-offering', instanceType, zone, reason }]
  }
  if (FLEET_QUOTAS.has(code)) return [{ kind: 'everything', reason }]
  if (!isUnfulfillable(code)) return []
  if (code === 'InsufficientFreeAddressesInSubnet' && subnetId !== undefined)
    return [{ kind: 'subnet', subnetId, reason }]
  if (launch.capacityType === 'reserved') return [{ kind: 'reservation', reason }]
  if (QUOTAS.has(code))
    return instanceType === undefined
      ? []
      : [{ kind: 'quota', capacityType: launch.capacityType, instanceType, reason }]
  return instanceType === undefined || zone === undefined ? [] : [{ kind: 'offering', instanceType, zone, reason }]
}
